// SPDX-License-Identifier: Apache-2.0
// How many requests an API still takes, as it says itself; kept over restarts. One thread.
#pragma once

#include "network/operation.hpp"

#include <string>

namespace skillhost::github {

class Budget {
public:
  // What an answer tells of it; -1 where it does not.
  struct Told {
    std::int64_t limit = -1, remaining = -1;
    std::int64_t reset = -1; // Unix seconds
    std::optional<std::chrono::seconds> retryAfter{};
  };

  // Reads what is known from `file`, which is forgotten when it is of another `account`: the API
  // and whose requests are counted.
  Budget(std::string file, std::string account);

  // Throws RemoteError, which says until when, while no request may be made. `now`: Unix seconds.
  void demand(std::int64_t now) const;
  // What each answer says.
  void note(const Told &told, std::int64_t now);
  // An answer that refuses for having been asked too often: nothing more until what it says, for a
  // minute when it says nothing. Throws RemoteError.
  [[noreturn]] void refused(const Told &told, std::int64_t now);
  // Best effort: a disk that refuses costs what is known, not the refresh.
  void save() noexcept;

  std::int64_t limit() const noexcept { return limit_; } // -1: not known
  std::int64_t remaining(std::int64_t now) const noexcept;
  std::int64_t reset() const noexcept { return reset_; } // Unix seconds, or 0

private:
  std::string file_, account_;
  std::int64_t limit_ = -1, remaining_ = -1, reset_ = 0;
  std::int64_t closedUntil_ = 0; // whatever is left of the budget
  bool isNew_ = false;           // something is to be saved
};

} // namespace skillhost::github
