// SPDX-License-Identifier: Apache-2.0
// Waits, with a deadline, for values from other threads.
#pragma once

#include "catch2.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

// Returns whether the condition holds before the deadline.
template <class Condition> bool until(const Condition &holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!holds()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::yield();
  }
  return true;
}

// Any thread may push; one thread takes.
template <class T> class Awaited {
public:
  void push(T value) {
    const std::scoped_lock lock(mutex_);
    come_.push_back(std::move(value));
    wake_.notify_all();
  }
  // Returns the next value. The test fails if none arrives.
  T next() {
    std::unique_lock lock(mutex_);
    REQUIRE(wake_.wait_for(lock, std::chrono::seconds(30), [this] { return !come_.empty(); }));
    T first = std::move(come_.front());
    come_.pop_front();
    return first;
  }
  // Returns the number of values that were not taken yet.
  std::size_t waiting() {
    const std::scoped_lock lock(mutex_);
    return come_.size();
  }

private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<T> come_;
};
