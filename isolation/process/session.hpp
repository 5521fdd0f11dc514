// SPDX-License-Identifier: Apache-2.0
// A running runner, from which callers borrow channels until it ends.
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
  // `number` counts the runners of an instance, from 1 on.
  Session(std::uint64_t number, ChildProcess child, std::vector<FrameSocket> channels);
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  std::uint64_t number() const noexcept { return number_; }
  ChildProcess &child() noexcept { return child_; }
  // Lends a channel to the caller until giveBack(). Returns nullptr if none is free in time or the
  // session has ended. Any thread may call it.
  FrameSocket *borrow(Moment until);
  void giveBack(FrameSocket *channel);
  // Kills the process. The log later reports `why`. Any thread may call it.
  void kill(const std::string &why);
  // All callers that wait for an answer learn that none will come. Any thread may call it.
  void end() noexcept;
  bool hasEnded() const noexcept { return hasEnded_; }
  // The reason of our kill(); empty if the process was not killed by us.
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
