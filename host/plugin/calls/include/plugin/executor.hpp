// SPDX-License-Identifier: Apache-2.0
// An executor: the few threads and the bounded queue on which one instance's plugin runs. The
// callers in the queue have their turns one after another.
//
// A thread cannot be taken away from a plugin that does not come back. So the executor gives up
// such a call at its deadline, abandons the thread a little later, and starts another one in its
// place.
#pragma once

#include "ground/cancel.hpp"
#include "ground/deadline.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace skillhost {

// Holds a call while it passes through an executor, which shares it with its maker.
class ExecutorJob {
public:
  // CallOptions describes `caller`.
  ExecutorJob(Deadline deadline, CancelToken cancel, std::string caller = {})
      : deadline_(deadline), cancel_(std::move(cancel)), whose_(std::move(caller)) {}
  virtual ~ExecutorJob() = default;
  ExecutorJob(const ExecutorJob &) = delete;
  ExecutorJob &operator=(const ExecutorJob &) = delete;

  // Runs on a thread of the executor, once, or never if the job was given up before. Must not
  // throw.
  virtual void run() noexcept = 0;
  // The deadline has passed, or the executor ends, while the job waits or run() still runs: answer
  // now. On the timer's thread or that of end(), at most once. `running`: run() has begun.
  virtual void giveUp(bool running) noexcept = 0;
  // run() still runs long after the job was given up, and its thread is counted as lost.
  virtual void abandoned() noexcept = 0;

  const Deadline &deadline() const noexcept { return deadline_; }
  const CancelToken &cancel() const noexcept { return cancel_; }
  const std::string &caller() const noexcept { return whose_; }

private:
  const Deadline deadline_;
  const CancelToken cancel_;
  const std::string whose_;
};

struct ExecutorSettings {
  std::size_t threads = 2;                  // started when first needed
  bool keepsOneFree = false;                // no caller takes all of several threads
  std::size_t longCallThreads = 0;          // as many of them are for calls that wait long
  std::size_t capacity = 1024;              // jobs that may wait
  std::size_t maxLostThreads = 3;           // with this many threads lost, none is replaced
  std::chrono::milliseconds grace{250};     // from a job's deadline until its thread is lost
  std::chrono::milliseconds patience{1500}; // for jobs that still run when the executor ends
};

// The kinds of calls into a plugin. Serial calls are made by one thread at a time, Local calls are
// work of this machine, and Remote calls ask another machine, so that many of them wait at once.
enum class CallConcurrency : std::uint8_t { Serial, Local, Remote };
// Returns the number of threads for such calls: 1 for serial ones, else `wanted`. If that is 0,
// there are as many for local calls as the machine has processors, at least 2 and at most 4, and 8
// for remote calls.
std::size_t threadCountFor(CallConcurrency calls, std::size_t wanted) noexcept;

// Any thread.
class PluginExecutor {
public:
  // Throws std::system_error if the timer of all executors cannot be started.
  PluginExecutor(std::string name, ExecutorSettings settings);
  ~PluginExecutor(); // end()
  PluginExecutor(const PluginExecutor &) = delete;
  PluginExecutor &operator=(const PluginExecutor &) = delete;

  // Refuses with Unavailable if the queue is full, if too many threads are lost, or at the end.
  [[nodiscard]] Status post(std::shared_ptr<ExecutorJob> job);

  // Accepts no more jobs, cancels those that wait or run, and waits for them. Returns false if a
  // thread is lost for good: everything that its plugin uses must then be left alone until the
  // process exits.
  bool end();

  std::size_t threads() const noexcept { return settings_.threads; }
  std::size_t lost() const;
  // False if so many threads are lost that calls are refused until one of them comes back.
  bool acceptsCalls() const { return lost() < settings_.maxLostThreads; }
  // Returns the number of threads lost by all executors of the process. While there are any, the
  // process must leave by _Exit.
  static std::size_t totalLostThreads() noexcept;

private:
  class State; // shared with the threads, which may outlive the executor
  const ExecutorSettings settings_;
  const std::shared_ptr<State> state_;
};

} // namespace skillhost
