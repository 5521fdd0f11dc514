// SPDX-License-Identifier: Apache-2.0
// An executor: the few threads and the bounded queue on which one instance's plugin runs. Those who
// wait in it have their turn one after another.
//
// A thread cannot be taken away from a plugin that does not come back. So the executor gives such a
// call up at its deadline, abandons the thread a little later, and starts another in its place.
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

// One call on its way through an executor, which it shares with whoever made it.
class ExecutorJob {
public:
  // `whose`: see CallOptions.
  ExecutorJob(Deadline deadline, CancelToken cancel, std::string whose = {})
      : deadline_(deadline), cancel_(std::move(cancel)), whose_(std::move(whose)) {}
  virtual ~ExecutorJob() = default;
  ExecutorJob(const ExecutorJob &) = delete;
  ExecutorJob &operator=(const ExecutorJob &) = delete;

  // On a thread of the executor, once, or never when the job was given up before. Must not throw.
  virtual void run() noexcept = 0;
  // The deadline has passed, in the queue or while run() still runs: answer now. On the timer's
  // thread, at most once. `running`: run() has begun.
  virtual void giveUp(bool running) noexcept = 0;
  // run() is still running long after it was given up, and its thread is counted as lost.
  virtual void abandoned() noexcept = 0;

  const Deadline &deadline() const noexcept { return deadline_; }
  const CancelToken &cancel() const noexcept { return cancel_; }
  const std::string &whose() const noexcept { return whose_; }

private:
  const Deadline deadline_;
  const CancelToken cancel_;
  const std::string whose_;
};

struct ExecutorSettings {
  std::size_t threads = 2;                  // start when first needed
  bool keepsOneFree = false;                // of several threads nobody has all; see CallOptions
  std::size_t waiting = 0;                  // of the threads, those for calls that wait long
  std::size_t capacity = 1024;              // jobs that may wait
  std::size_t mostLost = 3;                 // with so many threads lost, none is replaced
  std::chrono::milliseconds grace{250};     // from a job's deadline until its thread is lost
  std::chrono::milliseconds patience{1500}; // for what still runs when the executor ends
};

// What the calls of a plugin are: made by one thread at a time, work of this machine, or questions
// to another one, of which many wait at once.
enum class LaneCalls : std::uint8_t { Serial, Local, Remote };
// So many as are wanted, where they are not serial. 0: for local ones as the machine has
// processors, at least 2 and at most 4; for remote ones 8.
std::size_t laneThreads(LaneCalls calls, std::size_t wanted) noexcept;

// Any thread.
class PluginExecutor {
public:
  // Throws std::system_error when the timer of all executors cannot be started.
  PluginExecutor(std::string name, ExecutorSettings settings);
  ~PluginExecutor(); // end()
  PluginExecutor(const PluginExecutor &) = delete;
  PluginExecutor &operator=(const PluginExecutor &) = delete;

  // Refuses with Unavailable when the queue is full, when every thread is lost, or at the end.
  [[nodiscard]] Status post(std::shared_ptr<ExecutorJob> job);

  // Takes no more jobs, cancels what waits or runs, and waits for it. False: some thread is lost
  // for good, so that what its plugin uses must be left alone until the process exits.
  bool end();

  std::size_t threads() const noexcept { return settings_.threads; }
  std::size_t lost() const;
  // False: so many threads are lost that calls are refused until one comes home.
  bool takesCalls() const { return lost() < settings_.mostLost; }
  // Threads lost by all executors of the process: while there are any it must leave by _Exit.
  static std::size_t lostInAll() noexcept;

private:
  class State; // shared with the threads, which may outlive the executor
  const ExecutorSettings settings_;
  const std::shared_ptr<State> state_;
};

} // namespace skillhost
