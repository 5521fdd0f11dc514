// SPDX-License-Identifier: Apache-2.0
// The thread that follows something remote: at the start, by the clock, and when it is asked.
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
  std::string name;                            // begins every message: the remote's address
  std::chrono::milliseconds every{3'600'000};  // by the clock; 0: only when asked
  std::chrono::milliseconds deadline{120'000}; // of one look
  std::uint64_t mostBytes = 536'870'912;       // received by one look
  bool awaitNewest = false; // what is known already does not do: the remote is asked first
  std::chrono::milliseconds betweenAsked{1'000}; // from the end of a look to one that is asked for
};

// Tells the host that something changed when the remote fails and when it answers again, so that
// requireGood() is asked. Reports the counters `looks`, `failures`, `fetched_bytes` and the gauge
// `age_seconds`.
class Follower {
public:
  // Starts the thread, which ends with this object, within 50 ms unless the disk holds it.
  Follower(skh::Host host, FollowRules rules, Followed &followed);
  ~Follower();
  Follower(const Follower &) = delete;
  Follower &operator=(const Follower &) = delete;

  // Waits until there is something to serve, and with awaitNewest until the remote was asked;
  // tells the call how many bytes have come. Throws skh::Error: once a look has failed its reason,
  // with the status of its RemoteError, else SKH_UNAVAILABLE, as shortly before the call's
  // deadline; SKH_CANCELLED. Any thread.
  void awaitFirst(const skh::Call &call);
  // For a listing: the same, but who comes after the first look, or lists again (`isRepeated`),
  // wants what is new. Then the remote is asked, and a look is waited for that began afterwards,
  // unless one fails or the remote wants to be left alone. That look belongs to the call's trace;
  // of several that wait for one, to that of the last. Throws as awaitFirst() does. Any thread.
  // True when the remote was asked.
  bool awaitListing(const skh::Call &call, bool isRepeated);
  // Throws what awaitFirst() would when it would not wait: there is nothing to serve, and why.
  void requireServing();
  // Throws what the last look failed with, when it did: what is served may be out of date.
  void requireGood();
  bool isGood();
  // The remote is asked soon: at once, or `betweenAsked` after the last look has ended and not
  // while it wants to be left alone. One that is under way may have missed the news, and is
  // followed by another. Any thread.
  void ask();

private:
  using Clock = std::chrono::steady_clock;
  struct Failure;

  void run(const std::stop_token &stop);
  void load();
  void look(const std::stop_token &stop);
  void succeed();
  void fail(const Failure &failure);
  void settle();
  void tidy(const std::stop_token &stop);
  void publish();
  void measure();
  std::chrono::seconds age() const;
  bool awaits() const;
  bool isPutOff() const;
  void awaitFirst(const skh::Call &call, std::unique_lock<std::mutex> &lock);
  void askAndAwait(const skh::Call &call, std::unique_lock<std::mutex> &lock);
  void await(const skh::Call &call, std::unique_lock<std::mutex> &lock);
  Clock::time_point due() const;
  void waitForNext(const std::stop_token &stop);

  skh::Host host_;
  const FollowRules rules_;
  Followed &followed_;
  BackOff backOff_{failures}; // these two: of the thread
  std::string loggedFailure_;

  std::atomic<std::uint64_t> received_{0}; // bytes, by the look that goes on or the last one
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string failure_, next_; // of the last look, "" while there is none; when the next is
  skh_status status_ = SKH_UNAVAILABLE;              // of that failure
  std::uint64_t began_ = 0, ended_ = 0, failed_ = 0; // looks
  Clock::time_point scheduled_{};                    // the next look; max: only when asked
  Clock::time_point askable_{};                      // not sooner, when it is asked for
  bool asked_ = false;                               // since the last look began
  std::vector<std::string> trace_;                   // of the call that asked last
  bool hasEnded_ = false;                            // the first look, however
  bool isNewest_ = false; // a look has gone well, or there was no need of one
  std::jthread thread_;   // last: it uses all of the above
};

} // namespace skillhost::remote
