// SPDX-License-Identifier: Apache-2.0
#include "mcp/long_requests.hpp"

#include "base/log.hpp"
#include "ground/process.hpp"

#include <pthread.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <system_error>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

thread_local const LongRequests *threadOf = nullptr;

// Many jobs that waited together leave fragmented memory, which the allocator keeps.
constexpr std::size_t manyJobs = 32;
constexpr std::chrono::seconds quietAfterMany{1};

} // namespace

std::string_view LongRequests::add(std::string_view owner, Job job) try {
  const std::scoped_lock lock(mutex_);
  if (ended_) return "the server is stopping";
  if (jobs_.sizeOf(owner) >= maxWaiting) return "too many long requests are waiting";
  if (!thread_.joinable())
    thread_ = std::thread([this] {
      pthread_setname_np(pthread_self(), "long-requests");
      sigset_t all;
      ::sigfillset(&all); // signals are for the threads that wait for them
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      work();
    });
  jobs_.add(owner, std::move(job));
  wake_.notify_one();
  return {};
} catch (const std::system_error &) {
  return "no thread can be started for a long request";
}

bool LongRequests::isItsThread() const noexcept { return threadOf == this; }

void LongRequests::work() {
  threadOf = this;
  const auto isWanted = [this] { return ended_ || !jobs_.empty(); };
  std::size_t done = 0; // since memory was given back
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      if (done >= manyJobs && !wake_.wait_for(lock, quietAfterMany, isWanted)) {
        done = 0;
        lock.unlock();
        giveBackMemory();
        lock.lock();
      }
      wake_.wait(lock, isWanted);
      if (ended_) return;
      job = std::move(*jobs_.take());
    }
    ++done;
    try {
      job();
    } catch (const std::exception &why) {
      log::failure("mcp", {"the handler of a request failed"}, why);
    }
  }
}

void LongRequests::end() {
  std::vector<Job> left; // destroyed without the lock: they may hold anything
  std::thread thread;
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    left = jobs_.takeAll([](const Job &) { return true; });
    thread.swap(thread_);
  }
  wake_.notify_one();
  if (thread.joinable()) thread.join();
}

} // namespace skillhost
