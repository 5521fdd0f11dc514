// SPDX-License-Identifier: Apache-2.0
#include "runtime/timer.hpp"

#include <pthread.h>

#include <utility>

namespace skillhost {

Timer::~Timer() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Timer::after(std::chrono::milliseconds span, std::function<void()> callback) {
  {
    const std::scoped_lock lock(mutex_);
    if (ending_) return;
    due_.emplace(Clock::now() + span, std::move(callback));
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  }
  wake_.notify_one();
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
    if (first->first > Clock::now()) {
      wake_.wait_until(lock, Clock::time_point(first->first));
      continue;
    }
    const std::function<void()> callback = std::move(first->second);
    due_.erase(first);
    lock.unlock();
    callback();
    lock.lock();
  }
}

} // namespace skillhost
