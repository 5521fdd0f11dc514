// SPDX-License-Identifier: Apache-2.0
// One at a time, with waiting that can be given up.
#pragma once

#include "checkpoint.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace skillhost::filesystem {

class Turnstile {
public:
  // Whose turn it is, from construction to destruction.
  class Turn {
  public:
    // Waits for the turn before, looking at `checkpoint` meanwhile; throws what that throws.
    Turn(Turnstile &turnstile, const Checkpoint &checkpoint) : turnstile_(turnstile) {
      std::unique_lock lock(turnstile_.mutex_);
      const auto vacant = [this] { return !turnstile_.taken_; };
      while (!turnstile_.left_.wait_for(lock, std::chrono::milliseconds(20), vacant)) checkpoint();
      turnstile_.taken_ = true;
    }
    ~Turn() {
      {
        const std::scoped_lock lock(turnstile_.mutex_);
        turnstile_.taken_ = false;
      }
      turnstile_.left_.notify_one();
    }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

  private:
    Turnstile &turnstile_;
  };

private:
  std::mutex mutex_;
  std::condition_variable left_;
  bool taken_ = false;
};

} // namespace skillhost::filesystem
