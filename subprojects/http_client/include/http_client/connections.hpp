// SPDX-License-Identifier: Apache-2.0
// The exchanges that one thread has under way, over connections that are reused.
#pragma once

#include <chrono>

namespace skillhost::web {

// Used by one thread at a time.
class Connections {
public:
  // Throws std::bad_alloc, and std::runtime_error if libcurl cannot be loaded.
  Connections();
  ~Connections();
  Connections(const Connections &) = delete;
  Connections &operator=(const Connections &) = delete;

  // Does all possible work without waiting, and calls the callbacks of the exchanges. Throws
  // std::bad_alloc.
  void perform();
  // Waits for at most `timeout`, until there is work, or until the descriptor `wake` can be read.
  void wait(std::chrono::milliseconds timeout, int wake = -1);

private:
  friend class Exchange;
  void *many_;
};

} // namespace skillhost::web
