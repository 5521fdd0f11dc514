// SPDX-License-Identifier: Apache-2.0
// How many requests an API still takes, as it says itself; kept over restarts. All of this process
// that are of one account know what one of them was told. One thread each.
#pragma once

#include "remote/operation.hpp"

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

  // What the process knows of `account`, the API and whose requests are counted; else what stands
  // in `file`, unless that is of another.
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

  std::int64_t limit() const { return known().limit; } // -1: not known
  std::int64_t remaining(std::int64_t now) const;
  std::int64_t reset() const { return known().reset; } // Unix seconds, or 0

private:
  struct Known {
    std::int64_t limit = -1, remaining = -1, reset = 0;
    std::int64_t closedUntil = 0; // whatever is left of the budget
    bool operator==(const Known &) const = default;
  };
  struct Accounts;

  static Accounts &accounts();
  Known known() const;
  void learn(const Known &now) const;

  std::string file_, account_;
  Known saved_; // what stands in the file
};

} // namespace skillhost::github
