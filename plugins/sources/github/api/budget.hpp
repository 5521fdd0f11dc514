// SPDX-License-Identifier: Apache-2.0
// Tracks how many requests an API still accepts, as its answers report, and keeps that across
// restarts. All objects of this process with the same account share the knowledge. Only one thread
// may use each object.
#pragma once

#include "remote/operation.hpp"

#include <string>

namespace skillhost::github {

class Budget {
public:
  // Budget in an answer; -1 for a value that is missing.
  struct RateLimit {
    std::int64_t limit = -1, remaining = -1;
    std::int64_t reset = -1; // Unix seconds of the next full budget
    std::optional<std::chrono::seconds> retryAfter{};
  };

  // `account` is the API together with the user whose requests are counted. The process's knowledge
  // of it takes precedence over the content of `file`, which is ignored if it belongs to another
  // account.
  Budget(std::string file, std::string account);

  // Throws RemoteError with the time of reopening while no request may be made. `now` is in Unix
  // seconds.
  void requireOpen(std::int64_t now) const;
  // Must be called with each answer.
  void recordAnswer(const RateLimit &reported, std::int64_t now);
  // Must be called if an answer refuses because of too many requests. Closes the API for as long as
  // the answer demands, or for a minute if it names no time. Throws RemoteError.
  [[noreturn]] void throwRefused(const RateLimit &reported, std::int64_t now);
  // Never fails. If the disk refuses, only the knowledge is lost, not the refresh.
  void save() noexcept;

  std::int64_t limit() const { return known().limit; } // -1 if unknown
  std::int64_t remaining(std::int64_t now) const;
  std::int64_t reset() const { return known().reset; } // Unix seconds, or 0

private:
  struct Known {
    std::int64_t limit = -1, remaining = -1, reset = 0;
    std::int64_t closedUntil = 0; // no request before this time, even if the budget is not spent
    bool operator==(const Known &) const = default;
  };
  struct Accounts;

  static Accounts &accounts();
  Known known() const;
  void updateAccount(const Known &now) const;

  std::string file_, account_;
  Known saved_; // content of the file
};

} // namespace skillhost::github
