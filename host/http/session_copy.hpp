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
  // Names this copy among all of all replicas, at all times; first in the ids of its events.
  const std::string place;
  const std::string name;    // of the session, see SessionIdentity
  const std::int64_t endsAt; // when its id is too old, in Unix seconds

  std::mutex mutex; // of what follows; never held while anybody is called who may call back
  // The client listens here, or has not listened yet. A copy that was made from an id begins with
  // "no": what was told elsewhere is not known here.
  bool isHeardHere;
  std::optional<std::string> seen; // its record as it was last there; nothing: there was none
  std::uint64_t writes = 0;        // of that record
  struct Unsaved {
    SessionChange change;
    std::uint64_t number = 0;
  };
  std::map<std::string, Unsaved> unsaved; // by subject
  std::uint64_t changes = 0;              // the number of the last one
  bool isSaving = false;
  struct Waiting {
    std::uint64_t change; // that has to be written
    std::function<void()> then;
  };
  std::vector<Waiting> waiting;
  bool isOusted = false;                             // for want of room: its record is to go
  std::chrono::steady_clock::time_point asksSince{}; // see SessionStore::mayAsk()
  std::size_t asks = 0;                              // since then
  std::deque<std::string> answered; // questions of other replicas, the last of them last

  SessionCopy(std::string thePlace, std::string theName, std::int64_t itEndsAt, bool heardHere)
      : place(std::move(thePlace)), name(std::move(theName)), endsAt(itEndsAt),
        isHeardHere(heardHere) {}
};

} // namespace skillhost
