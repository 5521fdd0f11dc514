// SPDX-License-Identifier: Apache-2.0
// The state that this replica holds for one session of its table to share it with the other
// replicas.
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
  const std::string place;
  const std::string name;    // of the session, see SessionIdentity
  const std::int64_t endsAt; // when its id is too old, in Unix seconds

  std::mutex mutex; // guards the members below; never held during a call that may call back
  // True if the client listens here or has not listened yet. A copy that was made from an id begins
  // with false, because messages that another replica sent are not known here.
  bool isListeningHere;
  // The record when it was last read or written; nothing if there was none.
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
    std::uint64_t change; // number of the change that has to be written first
    std::function<void()> then;
  };
  std::vector<Waiting> waiting;
  // The table dropped the session for lack of room, so its record has to be erased.
  bool isEvicted = false;
  std::chrono::steady_clock::time_point asksSince{}; // see SessionStore::mayAsk()
  std::size_t asks = 0;                              // number of messages since then
  // Ids of requests by other replicas whose responses were passed on, the newest last.
  std::deque<std::string> answered;

  SessionCopy(std::string thePlace, std::string theName, std::int64_t itEndsAt, bool listeningHere)
      : place(std::move(thePlace)), name(std::move(theName)), endsAt(itEndsAt),
        isListeningHere(listeningHere) {}
};

} // namespace skillhost
