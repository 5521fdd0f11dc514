// SPDX-License-Identifier: Apache-2.0
#include "ground/timer.hpp"

#include <pthread.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

namespace skillhost {
namespace {

constexpr std::chrono::milliseconds pauseWithoutMemory{100};

} // namespace

class Timer::State {
public:
  Ticket add(Clock::time_point due, std::function<void()> callback) {
    Ticket ticket{due, 0};
    bool first = false;
    {
      const std::scoped_lock lock(mutex_);
      if (ending_) return ticket;
      ticket.number = ++last_;
      const auto placed = due_.emplace(ticket, std::move(callback)).first;
      first = placed == due_.begin();
    }
    // The thread sleeps until the earliest callback, so only an earlier one has to wake it.
    if (first) wake_.notify_one();
    return ticket;
  }

  bool drop(const Ticket &ticket) {
    Callbacks::node_type dropped; // destroys the callback's captures after the lock
    const std::scoped_lock lock(mutex_);
    dropped = due_.extract(ticket);
    return !dropped.empty();
  }

  void end() {
    {
      const std::scoped_lock lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (!ending_) {
      if (due_.empty()) {
        wake_.wait(lock);
        continue;
      }
      const auto first = due_.begin();
      const Clock::time_point due = first->first.due;
      if (due > Clock::now()) {
        wake_.wait_until(lock, due);
        continue;
      }
      Callbacks::node_type fired = due_.extract(first);
      lock.unlock();
      if (call(fired.mapped()) || !comesAgain(fired))
        fired = {}; // destroys the captures before locking again
      lock.lock();
    }
  }

  // Drops the callbacks that have not fired, once the thread has stopped. Their captures are
  // destroyed without the lock.
  void clear() {
    Callbacks dropped;
    const std::scoped_lock lock(mutex_);
    dropped.swap(due_);
  }

private:
  using Callbacks = std::map<Ticket, std::function<void()>>;

  // Returns false if the callback lacked memory.
  static bool call(const std::function<void()> &callback) {
    try {
      callback();
      return true;
    } catch (const std::bad_alloc &) {
      return false;
    }
  }
  // Schedules the callback again without allocating. Returns false if the timer ends.
  bool comesAgain(Callbacks::node_type &fired) {
    const std::scoped_lock lock(mutex_);
    if (ending_) return false;
    fired.key().due = Clock::now() + pauseWithoutMemory;
    due_.insert(std::move(fired));
    return true;
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  Callbacks due_;
  std::uint64_t last_ = 0;
  bool ending_ = false;
};

Timer::Timer() : state_(std::make_shared<State>()) {
  try {
    thread_ = std::thread([state = state_] {
      pthread_setname_np(pthread_self(), "timer");
      state->work();
    });
  } catch (const std::system_error &why) {
    throw std::system_error(why.code(), "no thread can be started for timers");
  }
}

Timer::~Timer() {
  state_->end();
  // A callback may hold the last reference to the timer, and its thread cannot join itself.
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach();
  else
    thread_.join();
  state_->clear();
}

Timer::Ticket Timer::at(Clock::time_point due, std::function<void()> callback) {
  // The callback may run, and destroy this timer, before add() returns.
  const std::shared_ptr<State> state = state_;
  return state->add(due, std::move(callback));
}

bool Timer::cancel(const Ticket &ticket) { return state_->drop(ticket); }

} // namespace skillhost
