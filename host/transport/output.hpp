// SPDX-License-Identifier: Apache-2.0
// The sending half of stdio: many threads put messages in, one at a time writes all there is.
#pragma once

#include "transport/stdio.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace skillhost {

class StdioTransport::Output {
public:
  // `broken` is called once, on the writing thread, when nobody listens any more.
  Output(int descriptor, std::function<void()> broken);

  void send(Fragments message);
  // Between hold() and release() of the reading thread messages gather, to go out in one write.
  void hold();
  void release();
  int descriptor() const noexcept { return descriptor_; }
  // A write that a signal interrupts from now on is given up. Safe in a signal handler.
  void stop() noexcept { stopping_ = true; }

private:
  void flush(std::unique_lock<std::mutex> &lock);
  bool write(const std::vector<Fragments> &messages) const;

  const int descriptor_;
  const std::function<void()> broken_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable drained_;
  std::vector<Fragments> pending_;
  std::size_t pendingBytes_ = 0;
  bool held_ = false, writing_ = false, closed_ = false;
};

} // namespace skillhost
