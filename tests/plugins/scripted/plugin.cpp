// SPDX-License-Identifier: Apache-2.0
// A source that behaves as its configuration says, right or wrong: the in-memory source of the
// tests. README.md beside this file lists the keys.
#include "../status_names.hpp"
#include "script.hpp"

#include <skillhost/health.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

namespace scripted {
namespace {

[[noreturn]] void failAs(const Misdeed &misdeed) {
  const std::optional<skh_status> status = statusNamed(misdeed.action);
  if (!status) throw skh::Error(SKH_INVALID, misdeed.action + ": no such action in the script");
  throw skh::Error(*status, misdeed.message);
}

// Carries out a misdeed. Returns only from "block", and only when the pipe has been written and
// closed.
void commit(const Misdeed &misdeed, const skh::Call &call) {
  if (misdeed.action == "abort") std::abort();
  if (misdeed.action == "throw") throw std::runtime_error(misdeed.message);
  if (misdeed.action == "block") {
    std::ifstream pipe(misdeed.fifo);
    std::string line;
    while (std::getline(pipe, line)) continue;
    return;
  }
  if (misdeed.action == "await_cancel")
    for (;;) {
      call.point();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  failAs(misdeed);
}

skh::Document asDocument(const Entry &entry) {
  return {entry.skill, entry.path, entry.revision, entry.length, entry.flags, entry.location};
}

class Scripted final : public skh::Source {
public:
  Scripted(skh::Host host, const skh::Call &call) : host_(host), config_(host) {
    const Script script = Script::parse(config_.json());
    if (script.create) commit(*script.create, call);
    const auto *health = host.extension<skh_health>(SKH_HEALTH);
    if (health == nullptr) return;
    for (const auto &[state, why] : script.health) health->tell(health, state, skh::borrow(why));
  }

  void list(const skh::Call &call, const skh::Documents &out) override {
    host_.count("scripted.list");
    const Script script = load(config_);
    std::size_t added = 0;
    for (const Entry &entry : script.documents) {
      call.point();
      if (script.list && added == script.list->after) commit(*script.list, call);
      add(script, asDocument(entry), out);
      ++added;
    }
    if (script.list && script.list->after >= added) commit(*script.list, call);
    finish(script, out);
    remember(script);
  }

  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override {
    host_.count("scripted.read");
    const Script script = load(config_);
    const Entry entry = find(script, which);
    if (!script.read) {
      call.point();
      return out.write(entry.served);
    }
    const std::string_view text = entry.served;
    const std::size_t before = std::min(script.read->after, text.size());
    try {
      if (before > 0) out.write(text.substr(0, before));
    } catch (const skh::Error &) {
      if (!script.ignoreRefusal) throw;
    }
    commit(*script.read, call);
    out.write(text.substr(before));
  }

  void changes(const skh::Call &call, std::string_view since, const skh::Documents &out) override {
    host_.count("scripted.changes");
    const Script script = load(config_);
    if (script.changes) commit(*script.changes, call);
    const auto before = recall(since);
    if (!script.history || (!before && since != script.snapshot))
      throw skh::Error(SKH_STALE, "no such snapshot");
    if (since != script.snapshot) difference(*before, script, out);
    finish(script, out);
    remember(script);
  }

private:
  static void add(const Script &script, const skh::Document &document, const skh::Documents &out) {
    try {
      out.add(document);
    } catch (const skh::Error &) {
      if (!script.ignoreRefusal) throw;
    }
  }

  static void finish(const Script &script, const skh::Documents &out) {
    for (std::size_t call = 0; call < script.doneCalls; ++call) try {
        out.done(script.snapshot);
      } catch (const skh::Error &) {
        if (!script.ignoreRefusal) throw;
      }
    if (script.addAfterDone && !script.documents.empty())
      add(script, asDocument(script.documents.front()), out);
  }

  static Entry find(const Script &script, const skh::Document &which) {
    const Entry *other = nullptr;
    for (const Entry &entry : script.documents) {
      if (entry.skill != which.skill || entry.path != which.path) continue;
      if (entry.revision == which.revision) return entry;
      other = &entry;
    }
    if (other != nullptr) throw skh::Error(SKH_STALE, "the document has changed");
    throw skh::Error(SKH_NOT_FOUND, "no such document");
  }

  static void difference(const Script &before, const Script &now, const skh::Documents &out) {
    const auto has = [](const Script &script, const Entry &wanted, bool sameRevision) {
      return std::any_of(script.documents.begin(), script.documents.end(), [&](const Entry &each) {
        return each.skill == wanted.skill && each.path == wanted.path &&
               (!sameRevision || each.revision == wanted.revision);
      });
    };
    for (const Entry &entry : before.documents)
      if (!has(now, entry, false))
        add(now, {entry.skill, entry.path, {}, 0, SKH_DOC_REMOVED, {}}, out);
    for (const Entry &entry : now.documents)
      if (!has(before, entry, true)) add(now, asDocument(entry), out);
  }

  void remember(const Script &script) {
    const std::lock_guard lock(mutex_);
    known_[script.snapshot] = script;
  }
  std::optional<Script> recall(std::string_view snapshot) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(std::string(snapshot));
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

  skh::Host host_;
  skh::Config config_;
  std::mutex mutex_;
  std::map<std::string, Script> known_; // snapshots handed out, guarded by mutex_
};

constexpr const char *schema = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "properties": {
    "documents": {"type": "array", "items": {"type": "object"}},
    "file": {"type": "string"}
  }
})";

} // namespace
} // namespace scripted

SKH_PLUGIN(skh::source<scripted::Scripted>("test.scripted", "1.0.0", "Does what the test says",
                                           scripted::schema));
