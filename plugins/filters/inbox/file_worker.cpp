// SPDX-License-Identifier: Apache-2.0
#include "file_worker.hpp"

#include <optional>
#include <utility>

namespace skillhost::inbox {

bool FileWorker::run(std::string_view owner, std::function<void()> job) {
  const std::scoped_lock lock(mutex_);
  // The last places are for owners who wait for nothing yet.
  const std::size_t own = jobs_.size() < many ? maxOwn : 1;
  if (stopped_ || jobs_.size() >= maxWaiting || jobs_.sizeOf(owner) >= own) return false;
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  jobs_.add(owner, std::move(job));
  arrived_.notify_one();
  return true;
}

void FileWorker::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    arrived_.wait(lock, [this] { return stopped_ || !jobs_.empty(); });
    if (stopped_) return;
    std::optional<std::function<void()>> job = jobs_.take();
    lock.unlock();
    if (job) (*job)();
    job.reset(); // what it holds is released before the lock is taken
    lock.lock();
  }
}

void FileWorker::stop() noexcept {
  Turns<std::function<void()>> dropped;
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    std::swap(dropped, jobs_);
    arrived_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

} // namespace skillhost::inbox
