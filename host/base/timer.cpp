// SPDX-License-Identifier: Apache-2.0
#include "base/timer.hpp"

#include <pthread.h>

#include <system_error>
#include <utility>

namespace skillhost {

Timer::Timer() {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error &why) {
    throw std::system_error(why.code(), "no thread can be started for timers");
  }
}

Timer::~Timer() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

Timer::Ticket Timer::at(Clock::time_point due, std::function<void()> callback) {
  Ticket ticket{due, 0};
  bool first = false;
  {
    const std::scoped_lock lock(mutex_);
    if (ending_) return ticket;
    ticket.number = ++last_;
    const auto placed = due_.emplace(ticket, std::move(callback)).first;
    first = placed == due_.begin();
  }
  // The thread sleeps until the earliest: only an earlier one has to wake it.
  if (first) wake_.notify_one();
  return ticket;
}

bool Timer::cancel(const Ticket &ticket) {
  decltype(due_)::node_type dropped; // what the callback holds goes after the lock
  const std::scoped_lock lock(mutex_);
  dropped = due_.extract(ticket);
  return !dropped.empty();
}

void Timer::work() {
  pthread_setname_np(pthread_self(), "timer");
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
    std::function<void()> callback = std::move(first->second);
    due_.erase(first);
    lock.unlock();
    callback();
    callback = nullptr; // what it holds goes before the lock is taken
    lock.lock();
  }
}

} // namespace skillhost
