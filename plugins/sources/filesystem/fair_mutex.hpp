// SPDX-License-Identifier: Apache-2.0
// A mutex whose waiting can be interrupted.
#pragma once

#include "checkpoint.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace skillhost::filesystem {

class FairMutex {
public:
  // Holds the mutex from construction to destruction.
  class Turn {
  public:
    // Waits for the mutex and calls `checkpoint` meanwhile; throws what that throws.
    Turn(FairMutex &fairMutex, const Checkpoint &checkpoint) : fairMutex_(fairMutex) {
      std::unique_lock lock(fairMutex_.mutex_);
      const auto vacant = [this] { return !fairMutex_.taken_; };
      while (!fairMutex_.left_.wait_for(lock, std::chrono::milliseconds(20), vacant)) checkpoint();
      fairMutex_.taken_ = true;
    }
    ~Turn() {
      {
        const std::scoped_lock lock(fairMutex_.mutex_);
        fairMutex_.taken_ = false;
      }
      fairMutex_.left_.notify_one();
    }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

  private:
    FairMutex &fairMutex_;
  };

private:
  std::mutex mutex_;
  std::condition_variable left_;
  bool taken_ = false;
};

} // namespace skillhost::filesystem
