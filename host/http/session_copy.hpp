// SPDX-License-Identifier: Apache-2.0
// The copy of a session at this replica: what it needs to share the session with other replicas.
#pragma once

#include "mcp/session_notes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

struct SessionCopy {
  // Identifies this copy among all copies of all replicas at all times. The ids of its events begin
  // with it.
  const std::string copyName;
  const std::string name;    // of the session, see SessionIdentity
  const std::int64_t endsAt; // from then on the id of the session is refused; in Unix seconds

  std::mutex mutex; // guards the members below; never held during a call that may call back
  // True if this replica sends the client messages that answer no request: the client listens here,
  // or it has listened nowhere yet. False at first for a copy that was made from an id, because the
  // client may listen at another replica.
  bool isListeningHere;
  // The text of the record in the engine when it was last read or written; nothing if there was
  // none.
  std::optional<std::string> seen;
  std::uint64_t writes = 0; // number of writes of that record
  struct Unsaved {
    SessionChange change;
    std::uint64_t number = 0;
  };
  std::map<std::string, Unsaved> unsaved; // by subject
  std::uint64_t changes = 0;              // number of the last change
  bool isSaving = false;
  struct Waiting {
    std::uint64_t change; // `then` is called when the change of this number is written
    std::function<void()> then;
  };
  std::vector<Waiting> waiting;
  // The table dropped the session for lack of room, so its record has to be erased.
  bool isEvicted = false;
  std::chrono::steady_clock::time_point asksSince{}; // see SessionStore::mayAsk()
  std::size_t asks = 0;                              // messages to other replicas since then
  // Ids of requests by other replicas whose responses were passed on, the newest last.
  std::deque<std::string> answered;

  SessionCopy(std::string theCopy, std::string theName, std::int64_t itEndsAt, bool listeningHere)
      : copyName(std::move(theCopy)), name(std::move(theName)), endsAt(itEndsAt),
        isListeningHere(listeningHere) {}
};

} // namespace skillhost
