// SPDX-License-Identifier: Apache-2.0
// Exchanges that one thread has under way at once, over connections that are kept between them.
#pragma once

#include <chrono>

namespace skillhost::web {

// One thread at a time.
class Connections {
public:
  // Throws std::bad_alloc, and std::runtime_error when libcurl cannot be loaded.
  Connections();
  ~Connections();
  Connections(const Connections &) = delete;
  Connections &operator=(const Connections &) = delete;

  // Carries what can be carried without waiting, and calls what the exchanges want to hear. Throws
  // std::bad_alloc.
  void perform();
  // Waits for so long, or until there is something to perform, or until the descriptor `wake` can
  // be read.
  void wait(std::chrono::milliseconds most, int wake = -1);

private:
  friend class Exchange;
  void *many_;
};

} // namespace skillhost::web
