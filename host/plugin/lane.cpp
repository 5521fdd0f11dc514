// SPDX-License-Identifier: Apache-2.0
#include "plugin/lane.hpp"

#include <pthread.h>

#include <utility>

namespace skillhost {

Lane::Lane(std::string name, std::size_t threads, std::size_t capacity)
    : name_(std::move(name)), limit_(threads), capacity_(capacity) {}

Lane::~Lane() { end(); }

void Lane::end() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  // Taken out under the lock, so that two who end it at once do not both join.
  std::vector<std::thread> threads;
  {
    const std::scoped_lock lock(mutex_);
    threads.swap(threads_);
  }
  for (std::thread &thread : threads) thread.join();
}

bool Lane::post(Job job) {
  {
    const std::scoped_lock lock(mutex_);
    if (ending_ || queue_.size() >= capacity_) return false;
    queue_.push_back(std::move(job));
    if (idle_ < queue_.size() && threads_.size() < limit_) {
      threads_.emplace_back([this] { work(); });
      return true;
    }
  }
  wake_.notify_one();
  return true;
}

void Lane::work() {
  pthread_setname_np(pthread_self(), name_.substr(0, 15).c_str());
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    wake_.wait(lock, [this] { return ending_ || !queue_.empty(); });
    --idle_;
    if (queue_.empty()) return;
    Job job = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    job();
    job = nullptr; // what the job holds goes before the lock is taken
    lock.lock();
  }
}

} // namespace skillhost
