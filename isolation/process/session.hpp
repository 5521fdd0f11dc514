// SPDX-License-Identifier: Apache-2.0
// A running process of skillhost-runner, and the channels over which calls reach it. Each call
// borrows a channel. The supervisor makes a new session whenever it restarts the process.
#pragma once

#include "ground/child_process.hpp"
#include "process/frame_socket.hpp"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace skillhost::process {

class Session {
public:
  // `number` counts the sessions of a plugin instance, from 1 on.
  Session(std::uint64_t number, ChildProcess child, std::vector<FrameSocket> channels);
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  std::uint64_t number() const noexcept { return number_; }
  ChildProcess &child() noexcept { return child_; }
  // Lends a channel to the caller until giveBack(). Waits until `until` for a free one. Returns
  // null if none becomes free, or if the session has ended. Any thread may call it.
  FrameSocket *borrow(Moment until);
  void giveBack(FrameSocket *channel);
  // Kills the process and calls end(). `why` is for the log. Any thread may call it.
  void kill(const std::string &why);
  // Closes all channels, so that waiting calls fail at once. Does not end the process: the
  // supervisor calls it when the process has ended. Any thread may call it.
  void end() noexcept;
  bool hasEnded() const noexcept { return hasEnded_; }
  // Returns the reason of the first kill(); empty if kill() was not called.
  std::string reason() const;

  std::atomic<bool> answered{false}; // at least one call was answered, so the plugin works

private:
  const std::uint64_t number_;
  ChildProcess child_;
  std::vector<FrameSocket> channels_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<FrameSocket *> free_;
  std::string reason_;
  std::atomic<bool> hasEnded_{false};
};

} // namespace skillhost::process
