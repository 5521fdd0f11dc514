// SPDX-License-Identifier: Apache-2.0
#include "large_bodies.hpp"

#include "base/log.hpp"

#include <pthread.h>

#include <csignal>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

namespace skillhost {

bool LargeBodies::add(Job job) try {
  const std::scoped_lock lock(mutex_);
  if (ended_) return false;
  if (!thread_.joinable())
    thread_ = std::thread([this] {
      pthread_setname_np(pthread_self(), "large-bodies");
      sigset_t all;
      ::sigfillset(&all); // signals are for the threads that wait for them
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      work();
    });
  jobs_.push_back(std::move(job));
  wake_.notify_one();
  return true;
} catch (const std::system_error &) {
  return false;
}

void LargeBodies::work() {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return ended_ || !jobs_.empty(); });
      if (ended_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    try {
      job();
    } catch (const std::exception &why) {
      log::error("http", std::string("the handler of a request failed: ") + why.what());
    }
  }
}

void LargeBodies::end() {
  std::deque<Job> left; // destroyed without the lock: they may hold anything
  std::thread thread;
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    left.swap(jobs_);
    thread.swap(thread_);
  }
  wake_.notify_one();
  if (thread.joinable()) thread.join();
}

} // namespace skillhost
