// SPDX-License-Identifier: Apache-2.0
// Keeps the runner of one instance alive: it starts the runner, receives its messages, and starts
// another one after it ended, with growing delays if runners keep failing.
#pragma once

#include "network/forwarder.hpp"
#include "plugin_calls/plugin_copy.hpp"
#include "process/cgroup.hpp"
#include "process/session.hpp"
#include "process/start.hpp"
#include "process/watch.hpp"

#include "base/fault.hpp"
#include "ground/back_off.hpp"
#include "ground/guarded.hpp"

#include <skillhost/plugin.h>
#include <skillhost/upstream.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace skillhost::process {

class Supervisor {
public:
  // `host` receives the plugin's log, metrics and hints on the supervisor's thread, and a hint
  // after a runner was replaced. Runners load `copy` if the start says so. `access` supplies the
  // sockets of the runners if start.suppliesSockets.
  Supervisor(std::string program, std::shared_ptr<const PluginCopy> copy, Start start,
             const skh_host &host, std::shared_ptr<network::ForwarderAccess> access);
  // Gives the runner a second to destroy its instance, then kills it. No thread may be in
  // acquire().
  ~Supervisor();
  Supervisor(const Supervisor &) = delete;
  Supervisor &operator=(const Supervisor &) = delete;

  // Starts the first runner and waits for its create(). A failure is final.
  skh_status begin(const skh_call *call);
  // Returns the current runner. Waits for a runner that will soon be ready, otherwise fails and
  // says why. Any thread may call it.
  skh_status acquire(const skh_call *call, std::shared_ptr<Session> &out);
  // Describes the confinement of the runner for the operator. Any thread may call it.
  std::string confinement() const { return confinement_.copy(); }
  // Returns the source that the plugin filters; null: it filters none. Any thread may call it.
  const skh_upstream *upstream() const noexcept { return upstream_; }
  // The reason why there is no runner at the moment; empty if there is one. Any thread may call it.
  std::string absence();

private:
  enum class State : std::uint8_t { Starting, Running, BackingOff, Ended };

  void run();
  bool startRunner(FrameSocket &control);
  void pollLoop(FrameSocket &control);
  bool handleFrame(FrameSocket &control, std::string_view frame);
  bool handleConfined(FrameSocket &control, Unpacker &from);
  bool moveIntoCgroup(); // puts the new process into a cgroup; false: there is none
  void log(LogLevel level, const std::string &text) const;
  void reportHealth(std::int32_t state, std::string_view why) const;
  void markRunning();
  void reap();
  bool backOff();
  void setState(State state);

  const std::string program_;
  const std::shared_ptr<const PluginCopy> copy_;
  const Start start_;
  const skh_host &host_;
  const std::shared_ptr<network::ForwarderAccess> access_;
  Guarded<std::string> confinement_;
  std::atomic<const skh_upstream *> upstream_{nullptr};
  Descriptor wake_, woken_; // written to end the wait of the thread
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::Starting;
  bool ending_ = false, hasRun_ = false;
  std::shared_ptr<Session> session_; // set while there is a process
  skh_status refusal_ = SKH_OK;      // status of the last create()
  std::string why_;                  // reason why the last runner ended
  Moment next_{};                    // time of the next start, while backing off
  // Delays after runners that answered no call, and after runners that answered some and ended soon
  // afterwards: a request that ends the plugin must not keep a processor busy with starts.
  BackOff delays_{{std::chrono::milliseconds(10), std::chrono::milliseconds(30'000)}};
  BackOff shortDelays_{{std::chrono::milliseconds(10), std::chrono::milliseconds(1'000)}};
  Moment createBy_{};
  // Number of runners; this and all below: only for the supervisor's thread.
  std::uint64_t count_ = 0;
  bool hasCreatedInstance_ = false;     // the current runner has created its instance
  bool hasReportedConfinement_ = false; // the current runner has reported its confinement
  bool hasAnswered_ = false;            // the last runner answered a call
  Moment started_{};                    // start of the current runner
  std::unique_ptr<Watch> watch_;        // of the current runner
  std::shared_ptr<CgroupTree> cgroups_; // null if none is delegated
  std::unique_ptr<Cgroup> cgroup_;      // of the current runner; null: its address space is limited
};

} // namespace skillhost::process
