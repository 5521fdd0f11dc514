// SPDX-License-Identifier: Apache-2.0
// The thread that follows something remote: at the start, by the clock, and when it is asked.
#pragma once

#include "operation.hpp"
#include "schedule.hpp"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace skillhost::remote {

// What is followed, and what is kept of it. All but isServing() is called by the follower's thread.
class Followed {
public:
  Followed() = default;
  virtual ~Followed() = default;
  Followed(const Followed &) = delete;
  Followed &operator=(const Followed &) = delete;

  // Serves what was kept last time, if anything was. What it throws is told.
  virtual void load() = 0;
  // Asks the remote, and serves what it says. Throws skh::Error, RemoteError when the remote is to
  // blame; what was served before stays.
  virtual void look(Operation &operation) = 0;
  // Is there something to serve? Any thread.
  virtual bool isServing() const = 0;
  // It, in words: "12 skills".
  virtual std::string serving() const = 0;
  // Unix seconds of the remote's last answer; 0 when there was none.
  virtual std::int64_t checked() const = 0;
};

struct FollowRules {
  std::string name;                            // begins every message: the remote's address
  std::chrono::milliseconds every{3'600'000};  // by the clock; 0: only when asked
  std::chrono::milliseconds deadline{120'000}; // of one look
  std::uint64_t mostBytes = 536'870'912;       // received by one look
};

// Reports the counters `looks`, `failures`, `fetched_bytes` and the gauge `age_seconds`.
class Follower {
public:
  // Starts the thread, which ends with this object, within 50 ms unless the disk holds it.
  Follower(skh::Host host, FollowRules rules, Followed &followed);
  ~Follower();
  Follower(const Follower &) = delete;
  Follower &operator=(const Follower &) = delete;

  // Waits until there is something to serve. Throws skh::Error: SKH_UNAVAILABLE with the reason
  // once the first look has failed, or shortly before the call's deadline; SKH_CANCELLED. Any
  // thread.
  void awaitFirst(const skh::Call &call);
  // The remote is asked soon, at most once a minute and not while it wants to be left alone; a look
  // that is under way counts as that one. Any thread.
  void ask();

private:
  using Clock = std::chrono::steady_clock;

  void run(const std::stop_token &stop);
  void look(const std::stop_token &stop);
  void succeed();
  void fail(const std::string &why, std::optional<std::chrono::seconds> retryAfter);
  std::chrono::seconds age() const;
  void waitForNext(const std::stop_token &stop);

  skh::Host host_;
  const FollowRules rules_;
  Followed &followed_;
  BackOff backOff_; // these two: of the thread
  std::string loggedFailure_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string failure_;         // of the last look; "" while there is none
  Clock::time_point next_{};    // look; max: only when asked
  Clock::time_point askable_{}; // not sooner
  bool asked_ = false;
  std::jthread thread_; // last: it uses all of the above
};

} // namespace skillhost::remote
