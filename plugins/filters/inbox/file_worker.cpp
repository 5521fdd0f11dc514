// SPDX-License-Identifier: Apache-2.0
#include "file_worker.hpp"

#include <utility>

namespace skillhost::inbox {

bool FileWorker::run(std::function<void()> job) {
  const std::scoped_lock lock(mutex_);
  if (stopped_ || jobs_.size() >= maxWaiting) return false;
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  jobs_.push_back(std::move(job));
  arrived_.notify_one();
  return true;
}

void FileWorker::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    arrived_.wait(lock, [this] { return stopped_ || !jobs_.empty(); });
    if (stopped_) return;
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    job = nullptr; // what it holds is released before the lock is taken
    lock.lock();
  }
}

void FileWorker::stop() noexcept {
  std::deque<std::function<void()>> dropped;
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    dropped.swap(jobs_);
    arrived_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

} // namespace skillhost::inbox
