// SPDX-License-Identifier: Apache-2.0
// One living runner as its callers see it: channels to be borrowed, until it ends.
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
  // `number` tells one runner of an instance from the next, from 1 on.
  Session(std::uint64_t number, ChildProcess child, std::vector<FrameSocket> channels);
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  std::uint64_t number() const noexcept { return number_; }
  ChildProcess &child() noexcept { return child_; }
  // A channel of the caller's own until it is given back; nullptr when none is free in time or the
  // session has ended. Any thread.
  FrameSocket *borrow(Moment until);
  void giveBack(FrameSocket *channel);
  // Kills the process because of `why`, which the log will tell. Any thread.
  void kill(const std::string &why);
  // Everybody who waits for an answer hears that none will come. Any thread.
  void end() noexcept;
  bool ended() const noexcept { return ended_; }
  // Why it was killed by us; empty when it was not.
  std::string reason() const;

  std::atomic<bool> answered{false}; // at least one call, so that it can be said to work

private:
  const std::uint64_t number_;
  ChildProcess child_;
  std::vector<FrameSocket> channels_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<FrameSocket *> free_;
  std::string reason_;
  std::atomic<bool> ended_{false};
};

} // namespace skillhost::process
