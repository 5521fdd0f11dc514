// SPDX-License-Identifier: Apache-2.0
#include "usage_reader.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxWaitingTasks = 16;

} // namespace

struct UsageReader::Shared {
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<UsageTask> tasks;
  bool started = false;
  std::atomic<bool> ending{false};
  std::thread thread;

  void work() {
    for (;;) {
      std::unique_lock lock(mutex);
      wake.wait(lock, [&] { return ending || !tasks.empty(); });
      if (tasks.empty()) return;
      const UsageTask task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      if (ending)
        task.refuse({Fault::Cancelled, "the server is stopping"});
      else
        try {
          task.read([&] { return ending || (task.isEnough && task.isEnough()); });
        } catch (const std::exception &) {
          task.refuse({Fault::MemoryPressure, "no memory"});
        }
    }
  }
};

UsageReader::UsageReader() : shared_(std::make_shared<Shared>()) {}

UsageReader::~UsageReader() {
  {
    const std::scoped_lock lock(shared_->mutex);
    shared_->ending = true;
    if (!shared_->started) return;
  }
  shared_->wake.notify_all();
  // The reader may be destroyed by its own thread, if the last answer held the last reference.
  if (shared_->thread.get_id() == std::this_thread::get_id())
    shared_->thread.detach();
  else
    shared_->thread.join();
}

void UsageReader::ask(UsageTask task) {
  {
    const std::scoped_lock lock(shared_->mutex);
    if (shared_->tasks.size() < maxWaitingTasks) {
      shared_->tasks.push_back(std::move(task));
      // The thread is started with the first task, because most servers never have one.
      if (!std::exchange(shared_->started, true))
        shared_->thread = std::thread([shared = shared_] { shared->work(); });
      shared_->wake.notify_one();
      return;
    }
  }
  task.refuse(
      {Fault::Unavailable, "too many requests for usage data are running: try again in a moment"});
}

} // namespace skillhost
