// SPDX-License-Identifier: Apache-2.0
// What two replicas know of one session, brought together: each change of one of them counts, and
// where both have changed the same, what was done here.
#include "mcp/session_facts.hpp"
#include "mcp/client_session.hpp"

#include <utility>

namespace skillhost {
namespace {

template <class Map>
const typename Map::mapped_type *valueIn(const Map &map, const typename Map::key_type &key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

// Equal, or both none.
bool isSame(const LoadedSkill *a, const LoadedSkill *b) {
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

template <class Value> bool isTheirs(Value mine, Value base, Value theirs) {
  return theirs != base && mine == base;
}

} // namespace

SessionFacts ClientSession::facts() const {
  SessionFacts facts;
  facts.capabilities = clientCapabilities.copy();
  facts.client = clientName.copy();
  facts.form = resultForm_;
  facts.ready = legacyReady_;
  facts.logLevel = logLevel_;
  facts.loaded = loaded.copy();
  const std::scoped_lock lock(mutex_);
  facts.uris = uris_;
  return facts;
}

bool ClientSession::merge(const SessionFacts &base, const SessionFacts &theirs) {
  clientCapabilities.with([&](std::string &own) {
    if (theirs.capabilities != base.capabilities && own == base.capabilities)
      own = theirs.capabilities;
  });
  clientName.with([&](std::string &own) {
    if (theirs.client != base.client && own == base.client) own = theirs.client;
  });
  if (isTheirs(resultForm_.load(), base.form, theirs.form)) resultForm_ = theirs.form;
  if (isTheirs(legacyReady_.load(), base.ready, theirs.ready)) legacyReady_ = theirs.ready;
  if (isTheirs(logLevel_.load(), base.logLevel, theirs.logLevel)) logLevel_ = theirs.logLevel;
  const bool hasUris = mergeUris(base, theirs), hasLoaded = mergeLoaded(base, theirs);
  opening_ = Opening::Legacy;
  listenForChanges();
  return hasUris && hasLoaded;
}

bool ClientSession::mergeUris(const SessionFacts &base, const SessionFacts &theirs) {
  const std::scoped_lock lock(mutex_);
  for (const std::string &uri : base.uris)
    if (!theirs.uris.contains(uri) && uris_.erase(uri) != 0) letGo(bytesOfSubscription(uri));
  for (const std::string &uri : theirs.uris) {
    if (base.uris.contains(uri) || uris_.contains(uri)) continue;
    if (!hold(bytesOfSubscription(uri))) return false;
    uris_.insert(uri);
  }
  return true;
}

bool ClientSession::mergeLoaded(const SessionFacts &base, const SessionFacts &theirs) {
  return loaded.with([&](auto &mine) {
    for (const auto &[id, before] : base.loaded) {
      const auto own = mine.find(id);
      if (theirs.loaded.contains(id) || own == mine.end() || own->second != before) continue;
      mine.erase(own);
      letGo(LoadedSkill::bytes);
    }
    for (const auto &[id, skill] : theirs.loaded) {
      const LoadedSkill *const before = valueIn(base.loaded, id), *const own = valueIn(mine, id);
      if (isSame(before, &skill) || !isSame(own, before)) continue;
      if (own == nullptr && !hold(LoadedSkill::bytes)) return false;
      mine[id] = skill;
    }
    return true;
  });
}

} // namespace skillhost
