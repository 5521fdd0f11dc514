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

LargeBodies::Added LargeBodies::add(std::string_view peer, Job job) try {
  constexpr std::size_t mostOfPeer = 64;
  const std::scoped_lock lock(mutex_);
  if (ended_) return Added::Ended;
  auto own = jobs_.find(peer);
  if (own != jobs_.end() && own->second.size() >= mostOfPeer) return Added::TooMany;
  if (!thread_.joinable())
    thread_ = std::thread([this] {
      pthread_setname_np(pthread_self(), "large-bodies");
      sigset_t all;
      ::sigfillset(&all); // signals are for the threads that wait for them
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      work();
    });
  if (own == jobs_.end()) {
    own = jobs_.try_emplace(std::string(peer)).first;
    turns_.emplace_back(peer);
  }
  own->second.push_back(std::move(job));
  wake_.notify_one();
  return Added::Yes;
} catch (const std::system_error &) {
  return Added::NoThread;
}

LargeBodies::Job LargeBodies::next() {
  const auto own = jobs_.find(turns_.front());
  Job job = std::move(own->second.front());
  own->second.pop_front();
  if (own->second.empty())
    jobs_.erase(own);
  else
    turns_.push_back(turns_.front());
  turns_.pop_front();
  return job;
}

void LargeBodies::work() {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return ended_ || !turns_.empty(); });
      if (ended_) return;
      job = next();
    }
    try {
      job();
    } catch (const std::exception &why) {
      log::error("http", std::string("the handler of a request failed: ") + why.what());
    }
  }
}

void LargeBodies::end() {
  decltype(jobs_) left; // destroyed without the lock: they may hold anything
  std::thread thread;
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    left.swap(jobs_);
    turns_.clear();
    thread.swap(thread_);
  }
  wake_.notify_one();
  if (thread.joinable()) thread.join();
}

} // namespace skillhost
