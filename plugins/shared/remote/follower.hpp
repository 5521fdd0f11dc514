// SPDX-License-Identifier: Apache-2.0
// A thread that follows a remote. It refreshes at the start, at regular times, and when asked.
#pragma once

#include "followed.hpp"
#include "schedule.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace skillhost::remote {

struct FollowRules {
  // The remote's address, at the start of every message.
  std::string name;
  std::chrono::milliseconds every{3'600'000};  // interval of regular refreshes; 0: only when asked
  std::chrono::milliseconds deadline{120'000}; // limit of one refresh
  std::uint64_t maxBytes = 536'870'912;        // limit of bytes received by one refresh
  bool awaitNewest = false; // the known content is not enough: ask the remote first
  // Least time from the end of a refresh to a requested one.
  std::chrono::milliseconds minRequestInterval{1'000};
};

// Tells the host of a change when the remote fails and when it answers again, so that the host asks
// and gets the result of requireGood(). Reports the counters `polls`, `failures`, `fetched_bytes`
// and the gauge `age_seconds`.
class Follower {
public:
  // Starts the thread. It ends with this object, within 50 ms unless the disk blocks it.
  Follower(skh::Host host, FollowRules rules, Followed &followed);
  ~Follower();
  Follower(const Follower &) = delete;
  Follower &operator=(const Follower &) = delete;

  // Waits until there is content to serve, and with awaitNewest until the remote was asked. It
  // reports the received bytes as progress of the call. Throws skh::Error: after a failed refresh
  // its reason, with the status of its RemoteError, otherwise SKH_UNAVAILABLE, also shortly before
  // the call's deadline; SKH_CANCELLED. Any thread may call it.
  void awaitFirst(const skh::Call &call);
  // Does the same for a listing. But a caller after the first refresh, or one that lists again
  // (`isRepeated`), wants new content. Then it asks the remote and waits for a refresh that begins
  // afterwards, unless a refresh fails or the remote asks for a pause. The refresh belongs to the
  // trace of the call, or to that of the last call if several wait. Throws as awaitFirst() does.
  // Any thread may call it. Returns true if the remote was asked.
  bool awaitListing(const skh::Call &call, bool isRepeated);
  // Throws the error of awaitFirst() if there is nothing to serve, without waiting.
  void requireServing();
  // Throws the error of the last refresh, if it failed: the served content may be outdated.
  void requireGood();
  bool isGood();
  // Requests a refresh soon: at once, or `minRequestInterval` after the end of the last refresh,
  // but not during a pause that the remote asked for. A running refresh may have missed the news
  // and is followed by another. Any thread may call it.
  void requestRefresh();

private:
  using Clock = std::chrono::steady_clock;
  struct Failure;

  void run(const std::stop_token &stop);
  void load();
  void refresh(const std::stop_token &stop);
  void succeed();
  void fail(const Failure &failure);
  void endAbruptly(const std::exception &error);
  void stopRefreshing();
  void tidy(const std::stop_token &stop);
  void publish();
  void measure();
  std::chrono::seconds age() const;
  bool hasToWait() const;
  bool isRequestDelayed() const;
  void awaitFirst(const skh::Call &call, std::unique_lock<std::mutex> &lock);
  void requestAndAwait(const skh::Call &call, std::unique_lock<std::mutex> &lock);
  void await(const skh::Call &call, std::unique_lock<std::mutex> &lock);
  Clock::time_point due() const;
  void waitForNext(const std::stop_token &stop);

  skh::Host host_;
  const FollowRules rules_;
  Followed &followed_;
  BackOff backOff_{failures}; // this and the next: only for the thread
  std::string loggedFailure_;

  std::atomic<std::uint64_t> received_{0}; // bytes received by the current or last refresh
  std::mutex mutex_;
  std::condition_variable_any changed_;
  // Failure of the last refresh, "" if there is none; time of the next refresh.
  std::string failure_, next_;
  skh_status status_ = SKH_UNAVAILABLE;                               // status of that failure
  std::uint64_t startedCount_ = 0, endedCount_ = 0, failedCount_ = 0; // numbers of refreshes
  Clock::time_point nextRefreshAt_{};   // time of the next refresh; max: only when asked
  Clock::time_point nextRequestedAt_{}; // earliest time of a requested refresh
  bool isRequested_ = false;            // requested since the last refresh began
  std::vector<std::string> trace_;      // trace of the last call that asked
  // The first refresh has ended, with or without success.
  bool hasEnded_ = false;
  bool isNewest_ = false; // a refresh has succeeded, or none was needed
  std::jthread thread_;   // last, because it uses all members above
};

} // namespace skillhost::remote
