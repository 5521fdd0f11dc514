// SPDX-License-Identifier: Apache-2.0
// Keeps one instance's runner alive: starts it, hears what it says unasked, buries it, and starts
// the next one, later each time that one comes to nothing.
#pragma once

#include "network/forwarder.hpp"
#include "plugin_copy.hpp"
#include "process/cgroup.hpp"
#include "process/session.hpp"
#include "process/start.hpp"
#include "process/watch.hpp"

#include "base/fault.hpp"
#include "ground/back_off.hpp"
#include "ground/guarded.hpp"

#include <skillhost/plugin.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace skillhost::process {

class Supervisor {
public:
  // `host` hears the plugin's log, metrics and hints on the supervisor's thread; a hint too when a
  // runner has taken another's place. `copy` is what a runner loads when the start says so.
  // `access`: what gives its runners their sockets, if start.suppliesSockets.
  Supervisor(std::string program, std::shared_ptr<const PluginCopy> copy, Start start,
             const skh_host &host, std::shared_ptr<network::ForwarderAccess> access);
  // Lets the runner destroy its instance for a second, then kills it. Nobody may be in acquire().
  ~Supervisor();
  Supervisor(const Supervisor &) = delete;
  Supervisor &operator=(const Supervisor &) = delete;

  // Starts the first runner and waits for its create(). When that fails it is not tried again.
  skh_status begin(const skh_call *call);
  // The runner to ask. Waits for it when it will soon be there; else says why not. Any thread.
  skh_status acquire(const skh_call *call, std::shared_ptr<Session> &out);
  // What the runner is confined by, for the operator. Any thread.
  std::string confinement() const { return confinement_.copy(); }
  // Why there is no runner until the next start; empty when there is one. Any thread.
  std::string absence();

private:
  enum class State : std::uint8_t { Starting, Running, BackingOff, Ended };

  void run();
  bool startOne(FrameSocket &control);
  void pollLoop(FrameSocket &control);
  bool handleFrame(FrameSocket &control, std::string_view frame);
  bool handleConfined(FrameSocket &control, Unpacker &from);
  bool holdByCgroup(); // the process that has just been started; false: there is none for it
  void log(LogLevel level, const std::string &text) const;
  void tellHealth(std::int32_t state, std::string_view why) const;
  void markRunning();
  void reap();
  bool backOff();
  void become(State state);

  const std::string program_;
  const std::shared_ptr<const PluginCopy> copy_;
  const Start start_;
  const skh_host &host_;
  const std::shared_ptr<network::ForwarderAccess> access_;
  Guarded<std::string> confinement_;
  Descriptor wake_, woken_; // written to, to end the thread's wait
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::Starting;
  bool ending_ = false, hasRun_ = false;
  std::shared_ptr<Session> session_; // while there is a process
  skh_status refusal_ = SKH_OK;      // of the last create()
  std::string why_;                  // the last runner came to nothing
  Moment next_{};                    // when the next one starts, while resting
  BackOff delays_{{std::chrono::milliseconds(10), std::chrono::milliseconds(30'000)}};
  Moment createBy_{};
  std::uint64_t count_ = 0;      // of runners; this and the next: the supervisor's thread only
  bool stood_ = false;           // this one did
  bool confined_ = false;        // this one is, as the host has seen
  std::unique_ptr<Watch> watch_; // of this one
  std::shared_ptr<CgroupTree> cgroups_; // null: none is delegated
  std::unique_ptr<Cgroup> cgroup_;      // of this one; null: its address space is limited
};

} // namespace skillhost::process
