// SPDX-License-Identifier: Apache-2.0
// The thread that keeps a mirror fresh: at the start, by the clock, and when it is asked.
#pragma once

#include "mirror.hpp"
#include "remote/schedule.hpp"
#include "snapshots/history.hpp"

#include <atomic>
#include <condition_variable>
#include <thread>

namespace skillhost::github {

using History = snapshots::History<Snapshot>;

class Refresher {
public:
  // Starts the thread, which ends with this object, within 50 ms unless the disk holds it.
  Refresher(skh::Host host, const Settings &settings, Mirror &mirror, History &history);
  ~Refresher();
  Refresher(const Refresher &) = delete;
  Refresher &operator=(const Refresher &) = delete;

  // Waits until there is a snapshot, and with awaitNewest until the remote was asked. Throws
  // skh::Error: SKH_UNAVAILABLE with the reason once the first look has failed, or shortly before
  // the call's deadline; SKH_CANCELLED. Any thread. True when it had to wait: the remote has only
  // just been asked.
  bool awaitFirst(const skh::Call &call);
  // The remote is asked soon, at most once a minute and not while it wants to be left alone. Any
  // thread.
  void ask();

private:
  using Clock = std::chrono::steady_clock;

  void run(const std::stop_token &stop);
  void loadKnown(const std::stop_token &stop);
  void look(const std::stop_token &stop);
  void attempt(const std::stop_token &stop, std::uint64_t &bytes);
  void publish(SnapshotPointer snapshot);
  void succeed();
  void fail(const std::string &why, std::optional<std::chrono::seconds> retryAfter);
  void measure();
  bool awaits() const;
  void looked();
  void waitForNext(const std::stop_token &stop);

  skh::Host host_;
  const Settings &settings_;
  Mirror &mirror_;
  History &history_;
  remote::BackOff backOff_; // these two: of the thread
  std::string loggedFailure_;

  std::atomic<std::uint64_t> received_{0}; // bytes of the look that goes on, or the last one
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string failure_;         // of the last look; "" while there is none
  Clock::time_point next_{};    // look; max: only when asked
  Clock::time_point askable_{}; // not sooner
  bool looked_ = false;         // with success, or there was no need to
  bool asked_ = false;
  bool sooner_ = false; // next_ has been brought forward
  std::jthread thread_; // last: it uses all of the above
};

} // namespace skillhost::github
