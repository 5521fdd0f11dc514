// SPDX-License-Identifier: Apache-2.0
// What this replica knows of how a session of its table is written down for the others.
#pragma once

#include "session_record.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

struct SharedCopy {
  // Names this copy among all of all replicas, at all times; first in the ids of its events.
  const std::string place;
  const std::string key;   // of its record
  const std::string owner; // as it stands there

  std::mutex mutex; // of what follows; never held while anybody is called who may call back
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  std::optional<std::string> seen; // the record as it was last there; nothing: there was none
  SessionRecord base;              // the same, read
  std::uint64_t saved = never;     // which of the session's changes it has
  bool isSaving = false;
  struct Waiting {
    std::uint64_t change; // that has to be written
    std::function<void()> then;
  };
  std::vector<Waiting> waiting;
  std::chrono::steady_clock::time_point asksSince{}; // see SharedSessions::mayAsk()
  std::size_t asks = 0;                              // since then
  bool isRestored = false;          // it was opened elsewhere
  std::deque<std::string> answered; // questions of other replicas, the last of them last
  bool isOusted = false;            // for want of room: its record is to go
  bool hasTaken = false;            // the stream of what belongs to no request; not yet written

  // Its client listens at another copy. Under the lock.
  bool isElsewhere() const { return !hasTaken && !base.listener.empty() && base.listener != place; }

  SharedCopy(std::string thePlace, std::string theKey, std::string theOwner)
      : place(std::move(thePlace)), key(std::move(theKey)), owner(std::move(theOwner)) {
    base.owner = owner;
  }
};

} // namespace skillhost
