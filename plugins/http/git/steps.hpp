// SPDX-License-Identifier: Apache-2.0
// A job in steps, each of which may end on another thread, and the turns of such jobs.
#pragma once

#include "base/fault.hpp"
#include "base/log.hpp"
#include "ground/result.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace skillhost::git {

inline Failure failureOf(const std::exception &why) {
  return {faultOfException(why), wordsOfException(why)};
}

class Steps : public std::enable_shared_from_this<Steps> {
public:
  Steps() = default;
  virtual ~Steps() = default;
  Steps(const Steps &) = delete;
  Steps &operator=(const Steps &) = delete;

  // Takes the steps that are left. The stack stays short, even if each step ends at once.
  void run() {
    while (!ended_) {
      try {
        const auto arrived = std::make_shared<std::atomic<bool>>(false);
        const std::function<void()> next = [self = shared_from_this(), arrived] {
          if (arrived->exchange(true)) self->run();
        };
        if (!step(next)) ended_ = true;
        if (!arrived->exchange(true)) return;
      } catch (const std::exception &why) {
        if (!ended_.exchange(true)) fail(failureOf(why));
      }
    }
  }

protected:
  // Begins one step, and calls `next` once, now or later, on any thread. Returns false, without a
  // call of `next`, if there is no step left.
  virtual bool step(const std::function<void()> &next) = 0;
  // Called if a step throws; nothing follows.
  virtual void fail(Failure why) = 0;

private:
  std::atomic<bool> ended_{false};
};

// Lets a few jobs run at once. Any thread.
class Turns : public std::enable_shared_from_this<Turns> {
public:
  // A job keeps its turn until it releases this.
  using Turn = std::shared_ptr<void>;
  using Begin = std::function<void(Turn)>;

  Turns(std::size_t atOnce, std::size_t maxWaiting) : free_(atOnce), maxWaiting_(maxWaiting) {}

  // Calls `begin`, at once or on the thread that releases a turn. Returns false, and calls nothing,
  // if too many jobs wait.
  bool take(Begin begin) {
    {
      const std::lock_guard lock(mutex_);
      if (free_ == 0) {
        if (waiting_.size() == maxWaiting_) return false;
        waiting_.push_back(std::move(begin));
        return true;
      }
      --free_;
    }
    begin(makeTurn());
    return true;
  }

private:
  Turn makeTurn() {
    return {this, [self = shared_from_this()](void *) { self->giveBack(); }};
  }
  void giveBack() noexcept {
    Begin next;
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.empty()) {
        ++free_;
        return;
      }
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
    try {
      next(makeTurn());
    } catch (const std::exception &why) {
      log::warning("server", why.what());
    }
  }

  std::mutex mutex_; // guards the two members below
  std::size_t free_;
  std::deque<Begin> waiting_;
  const std::size_t maxWaiting_;
};

} // namespace skillhost::git
