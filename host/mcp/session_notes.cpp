// SPDX-License-Identifier: Apache-2.0
// This file writes the notes of a session for other replicas and applies theirs.
#include "mcp/session_notes.hpp"

#include "mcp/client_session.hpp"
#include "rpc/known_clients.hpp"

#include <utility>

namespace skillhost {

void applyChange(SessionNotes &notes, const SessionChange &change) {
  switch (change.kind) {
  case SessionChange::Kind::LogLevel:
    notes.logLevel = change.level;
    break;
  case SessionChange::Kind::Subscribed:
    notes.uris.insert(change.name);
    break;
  case SessionChange::Kind::Unsubscribed:
    notes.uris.erase(change.name);
    break;
  case SessionChange::Kind::Loaded:
    notes.loaded[change.name] = change.skill;
    break;
  case SessionChange::Kind::Unloaded:
    notes.loaded.erase(change.name);
    break;
  }
}

std::string subjectOf(const SessionChange &change) {
  switch (change.kind) {
  case SessionChange::Kind::LogLevel:
    break;
  case SessionChange::Kind::Subscribed:
  case SessionChange::Kind::Unsubscribed:
    return "uri " + change.name;
  case SessionChange::Kind::Loaded:
  case SessionChange::Kind::Unloaded:
    return "skill " + change.name;
  }
  return "level";
}

void ClientSession::refreshNotes(NotesRefreshed then) const {
  if (refresh_) return refresh_(std::move(then));
  then(NotesAge::Current);
}

SessionNotes ClientSession::notes() const {
  SessionNotes notes;
  notes.logLevel = logLevel_;
  notes.loaded = loaded.copy();
  const std::scoped_lock lock(mutex_);
  notes.uris = uris_;
  return notes;
}

void ClientSession::take(const SessionNotes &notes) {
  logLevel_ = notes.logLevel;
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(uris_, [&](const std::string &uri) {
      if (notes.uris.contains(uri)) return false;
      releaseBytes(bytesOfSubscription(uri));
      return true;
    });
    for (const std::string &uri : notes.uris)
      if (!uris_.contains(uri) && reserveBytes(bytesOfSubscription(uri))) uris_.insert(uri);
  }
  loaded.with([&](auto &mine) {
    std::erase_if(mine, [&](const auto &one) {
      if (notes.loaded.contains(one.first)) return false;
      releaseBytes(LoadedSkill::bytes);
      return true;
    });
    for (const auto &[id, skill] : notes.loaded)
      if (mine.contains(id) || reserveBytes(LoadedSkill::bytes)) mine[id] = skill;
  });
}

void ClientSession::apply(const SessionChange &change) {
  switch (change.kind) {
  case SessionChange::Kind::LogLevel:
    logLevel_ = change.level;
    break;
  case SessionChange::Kind::Subscribed: {
    const std::scoped_lock lock(mutex_);
    if (!uris_.contains(change.name) && reserveBytes(bytesOfSubscription(change.name)))
      uris_.insert(change.name);
    break;
  }
  case SessionChange::Kind::Unsubscribed: {
    const std::scoped_lock lock(mutex_);
    if (uris_.erase(change.name) != 0) releaseBytes(bytesOfSubscription(change.name));
    break;
  }
  case SessionChange::Kind::Loaded:
    loaded.with([&](auto &mine) {
      if (mine.contains(change.name) || reserveBytes(LoadedSkill::bytes))
        mine[change.name] = change.skill;
    });
    break;
  case SessionChange::Kind::Unloaded:
    if (loaded.with([&](auto &mine) { return mine.erase(change.name); }) != 0)
      releaseBytes(LoadedSkill::bytes);
    break;
  }
}

void ClientSession::resume(const std::string &client, CapabilityFlags capabilities) {
  clientName.with([&](std::string &own) { own = client; });
  clientCapabilities.with([&](std::string &own) { own = capabilitiesText(capabilities); });
  resultForm_ = resultFormFor(client);
  opening_ = Opening::Legacy;
  becomeReady();
}

void ClientSession::becomeReady() {
  legacyReady_ = true;
  listenForChanges();
}

} // namespace skillhost
