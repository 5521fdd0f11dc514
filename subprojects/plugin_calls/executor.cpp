// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/executor.hpp"
#include "ground/bind_weak.hpp"

#include "ground/turns.hpp"
#include "plugin_calls/plugin_timer.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

using Clock = Deadline::Clock;

std::atomic<std::size_t> lostThreads{0};

using JobPointer = std::shared_ptr<ExecutorJob>;

} // namespace

class PluginExecutor::State : public std::enable_shared_from_this<State> {
public:
  State(std::string name, const ExecutorSettings &settings)
      : name_(std::move(name)), settings_(settings) {}

  Status post(JobPointer job) {
    const Deadline deadline = job->deadline();
    {
      const std::scoped_lock lock(mutex_);
      if (ending_) return {Fault::Unavailable, "the plugin is stopping"};
      if (lost_ >= settings_.maxLostThreads)
        return {Fault::Unavailable,
                std::to_string(lost_) + " calls never returned, so the plugin takes no more"};
      if (queue_.size() >= settings_.capacity)
        return {Fault::Unavailable, "too many calls are waiting"};
      startThread(queue_.size() + 1);
      if (workers_.empty()) return {Fault::Unavailable, "no thread can be started"};
      if (!deadline.isNever()) scheduleCheck(deadline.at());
      const std::string caller = job->caller();
      queue_.add(caller, std::move(job));
    }
    wake_.notify_one();
    return Done{};
  }

  // Takes no memory, because a constructor that fails for lack of memory calls it.
  bool end(std::chrono::milliseconds patience) noexcept {
    std::unique_lock lock(mutex_);
    ending_ = true;
    queue_.each([](const JobPointer &job) { job->cancel().cancel(); });
    for (const auto &worker : workers_)
      if (worker->job) worker->job->cancel().cancel();
    wake_.notify_all();
    changed_.wait_for(lock, patience, [this] { return allHome(); });
    const std::vector<std::shared_ptr<Worker>> ended = std::exchange(workers_, {});
    for (const auto &worker : ended)
      if (!worker->home) {
        if (!worker->isGivenUp) worker->unanswered = worker->job;
        lose(*worker);
      }
    Turns<JobPointer> unbegun = std::exchange(queue_, {});
    changed_.wait(lock, [this] { return !isChecking_; });
    const bool whole = lost_ == 0;
    lock.unlock();
    for (const auto &worker : ended)
      if (worker->thread.joinable()) worker->thread.join();
    for (const auto &worker : ended)
      if (const JobPointer job = std::move(worker->unanswered)) job->giveUp(true);
    while (const std::optional<JobPointer> job = unbegun.take()) (*job)->giveUp(false);
    return whole;
  }

  std::size_t lost() const {
    const std::scoped_lock lock(mutex_);
    return lost_;
  }

private:
  // A thread that is counted on. A lost thread leaves the list, and finds that out when it comes
  // back.
  struct Worker {
    std::thread thread;
    JobPointer job;        // what runs on it, if anything
    JobPointer unanswered; // that job, if the executor ends before it; only end() uses this
    bool isGivenUp = false, lost = false, home = false;
  };

  bool allHome() const {
    return queue_.empty() && std::all_of(workers_.begin(), workers_.end(),
                                         [](const auto &worker) { return worker->home; });
  }

  // True if one more job of this caller may run: never on the last thread, which is kept for
  // another caller. At the end all may run, because they are cancelled anyway.
  bool mayRun(const std::string &caller) const {
    if (!settings_.keepsOneFree || caller.empty() || ending_ || settings_.threads == 1) return true;
    const auto own =
        std::count_if(workers_.begin(), workers_.end(), [&](const std::shared_ptr<Worker> &worker) {
          return worker->job && worker->job->caller() == caller;
        });
    return own == 0 ||
           static_cast<std::size_t>(own) + 1 + settings_.longCallThreads < settings_.threads;
  }
  std::optional<JobPointer> next() {
    return queue_.take([this](const std::string &caller) { return mayRun(caller); });
  }

  // Starts a thread if more jobs wait than threads are idle.
  void startThread(std::size_t waiting) noexcept {
    if (idle_ >= waiting || workers_.size() >= settings_.threads) return;
    if (lost_ >= settings_.maxLostThreads) return;
    try {
      workers_.reserve(workers_.size() + 1); // once the thread runs, nothing may fail
      auto worker = std::make_shared<Worker>();
      worker->thread = std::thread([self = shared_from_this(), worker] { self->work(*worker); });
      workers_.push_back(std::move(worker));
    } catch (const std::exception &) {
      return; // no thread or no memory now: the present threads go on
    }
  }

  void work(Worker &worker) {
    pthread_setname_np(pthread_self(), name_.substr(0, 15).c_str());
    std::unique_lock lock(mutex_);
    for (;;) {
      std::optional<JobPointer> nextJob;
      ++idle_;
      wake_.wait(lock, [&] { return (nextJob = next()).has_value() || ending_; });
      --idle_;
      if (!nextJob) break;
      JobPointer job = *std::move(nextJob);
      worker.job = job;
      worker.isGivenUp = false;
      lock.unlock();
      job->run();
      lock.lock();
      worker.job = nullptr;
      const bool lost = worker.lost;
      if (lost) {
        --lost_;
        --lostThreads;
        startThread(queue_.size()); // for jobs that wait, now that one more may be lost
      }
      lock.unlock();
      job = nullptr; // what the job holds is destroyed without the lock
      if (lost) return;
      lock.lock();
    }
    worker.home = true;
    changed_.notify_all();
  }

  // The thread goes on without the executor.
  void lose(Worker &worker) {
    worker.lost = true;
    worker.thread.detach();
    ++lost_;
    ++lostThreads;
  }

  // Has checkDeadlines() check every job at `moment`, or before.
  void scheduleCheck(Clock::time_point moment) {
    if (checkTicket_) {
      if (checkTicket_->due <= moment) return;
      pluginTimer().cancel(*checkTicket_);
      checkTicket_.reset();
    }
    checkTicket_ = pluginTimer().at(moment, bindWeak(this, &State::checkDeadlines));
  }

  // If there is no memory for it, the next call that is posted makes checkDeadlines() run.
  void judgeAgainAt(Clock::time_point moment) noexcept {
    try {
      scheduleCheck(moment);
    } catch (const std::exception &) {
      return;
    }
  }

  void checkDeadlines() {
    std::vector<JobPointer> unbegun, running, abandoned;
    {
      const std::scoped_lock lock(mutex_);
      checkTicket_.reset();
      if (ending_) return;
      running.reserve(workers_.size());
      abandoned.reserve(workers_.size());
      const Clock::time_point now = Clock::now();
      Clock::time_point next = Clock::time_point::max();
      const auto isLate = [&](const JobPointer &job) { return job->deadline().at() <= now; };
      unbegun = queue_.takeAll(isLate);
      isChecking_ = true; // from here on nothing may throw
      queue_.each([&](const JobPointer &job) { next = std::min(next, job->deadline().at()); });
      for (std::size_t i = workers_.size(); i-- > 0;) {
        Worker &worker = *workers_[i];
        if (!worker.job || worker.job->deadline().isNever()) continue;
        const Clock::time_point due = worker.job->deadline().at();
        if (now >= due && !worker.isGivenUp) {
          worker.isGivenUp = true;
          running.push_back(worker.job);
        }
        if (now >= due + settings_.grace) {
          abandoned.push_back(worker.job);
          lose(worker);
          workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
          next = std::min(next, worker.isGivenUp ? due + settings_.grace : due);
        }
      }
      startThread(queue_.size());
      wake_.notify_all(); // jobs that a lost thread kept back may run now
      if (next != Clock::time_point::max()) judgeAgainAt(next);
    }
    for (const JobPointer &job : unbegun) job->giveUp(false);
    for (const JobPointer &job : running) job->giveUp(true);
    for (const JobPointer &job : abandoned) job->abandoned();
    const std::scoped_lock lock(mutex_);
    isChecking_ = false;
    changed_.notify_all();
  }

  const std::string name_;
  const ExecutorSettings settings_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, changed_;
  Turns<JobPointer> queue_;
  std::vector<std::shared_ptr<Worker>> workers_;
  std::size_t idle_ = 0, lost_ = 0;
  std::optional<Timer::Ticket> checkTicket_;
  bool ending_ = false, isChecking_ = false;
};

std::size_t threadCountFor(CallConcurrency calls, std::size_t wanted) noexcept {
  constexpr std::size_t ofRemote = 8;
  if (calls == CallConcurrency::Serial) return 1;
  if (wanted != 0) return wanted;
  if (calls == CallConcurrency::Remote) return ofRemote;
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 4);
}

PluginExecutor::PluginExecutor(std::string name, ExecutorSettings settings)
    : settings_(settings), state_(std::make_shared<State>(std::move(name), settings_)) {
  pluginTimer(); // throws if there can be no timer, so that no executor is made then
}

PluginExecutor::~PluginExecutor() { end(); }

Status PluginExecutor::post(std::shared_ptr<ExecutorJob> job) {
  return state_->post(std::move(job));
}
bool PluginExecutor::end(std::chrono::milliseconds patience) { return state_->end(patience); }
std::size_t PluginExecutor::lost() const { return state_->lost(); }
std::size_t PluginExecutor::totalLostThreads() noexcept { return lostThreads; }

} // namespace skillhost
