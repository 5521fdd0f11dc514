// SPDX-License-Identifier: Apache-2.0
// What other threads want done on the thread of an event loop. Outlives the loop.
#pragma once

#include "ground/descriptor.hpp"

#include <functional>
#include <mutex>
#include <vector>

namespace skillhost::http {

class Mailbox {
public:
  using Letter = std::function<void()>;

  Mailbox(); // throws std::runtime_error when no descriptor is left
  // Any thread. What is put in is taken out in order; dropped once the mailbox is closed.
  void post(Letter letter);
  // Makes descriptor() readable. Any thread; safe in a signal handler.
  void wake() noexcept;
  // Whether this is the thread that reads the letters.
  bool mine() const noexcept;

  // For the loop alone:
  int descriptor() const noexcept { return wake_.number(); }
  void enter() noexcept; // from now on this is that thread
  void leave() noexcept;
  void open();  // every letter there is
  void close(); // drops them, and those to come

private:
  Descriptor wake_; // eventfd
  std::mutex mutex_;
  std::vector<Letter> letters_;
  bool closed_ = false;
};

} // namespace skillhost::http
