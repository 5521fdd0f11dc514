// SPDX-License-Identifier: Apache-2.0
// A server that is a program of this source. It keeps running between two refreshes if it tells of
// changes; otherwise it runs only during a refresh.
#pragma once

#include "program_link.hpp"
#include "upstream.hpp"

#include "ground/descriptor.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace skillhost::mcp_source {

// Two threads use the program in turn: that of refreshes, and one that listens in between. A
// refresh does not wait for the listener for longer than a message takes.
class ProgramUpstream final : public Upstream {
public:
  // `settings` must outlive it. Starts nothing.
  ProgramUpstream(skh::Host host, const Settings &settings);
  ~ProgramUpstream() override; // ends the program, in less than two seconds

  // Starts the program if it does not run. Only the thread of refreshes may call it.
  std::unique_ptr<Connection> connect(remote::Operation &operation) override;

  // Listens until `stop`, and calls `changed` for changes that the program tells of, and a while
  // after it has ended, because a refresh starts it again. wake() must follow the request to stop.
  void listen(const std::stop_token &stop, const std::function<void()> &changed);
  void wake() noexcept;

private:
  struct Running;
  class Loan;
  enum class User : std::uint8_t { Nobody, Refresh, Listener };
  // The reason why the listener stops listening.
  struct Pause {
    std::string why;       // empty: a refresh needs the program, or we have to stop
    bool isSilent = false; // the program tells of no changes
  };

  void takeForRefresh(remote::Operation &operation);
  std::unique_ptr<Running> start(remote::Operation &operation);
  void giveBack(bool isUsable) noexcept;
  bool takeForListener(const std::stop_token &stop);
  Pause listenOnce(const std::function<void()> &changed);
  bool awaitRestart(const std::stop_token &stop, std::chrono::seconds pause);

  const skh::Host host_;
  const Settings &settings_;
  const std::string version_;
  Descriptor
      wake_; // can be read when the listener has to leave the program to a refresh, or to end

  std::mutex mutex_; // protects what follows. The user of the program alone uses what it points to
  std::condition_variable_any changed_;
  std::unique_ptr<Running> running_; // null: the program does not run
  User user_ = User::Nobody;
  bool isWanted_ = false; // by a refresh
  bool isSilent_ = false; // the program has declined to tell of changes
};

// The thread that listens. Its destructor ends it within a moment.
class ProgramListener {
public:
  // `upstream` must outlive it. `changed` is called on the thread.
  ProgramListener(ProgramUpstream &upstream, std::function<void()> changed);
  ~ProgramListener();
  ProgramListener(const ProgramListener &) = delete;
  ProgramListener &operator=(const ProgramListener &) = delete;

private:
  ProgramUpstream &upstream_;
  const std::function<void()> notify_;
  std::jthread thread_; // last, because it uses all members above
};

} // namespace skillhost::mcp_source
