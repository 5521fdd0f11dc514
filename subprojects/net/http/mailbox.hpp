// SPDX-License-Identifier: Apache-2.0
// What other threads want done on the thread of an event loop. Outlives the loop.
#pragma once

#include "ground/descriptor.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace skillhost::http {

class Mailbox;

// Something to be done that can be posted without memory, once.
class Errand {
public:
  virtual ~Errand() = default;
  virtual void run() = 0;

private:
  friend Mailbox;
  std::shared_ptr<Errand> next_;
};

class Mailbox {
public:
  using Letter = std::function<void()>;

  Mailbox(); // throws std::runtime_error when no descriptor is left
  // Any thread. What is put in is taken out in order; dropped once the mailbox is closed. Throws
  // std::bad_alloc, and then posts nothing.
  void post(Letter letter);
  // The same, in no order and without memory.
  void post(std::shared_ptr<Errand> errand) noexcept;
  // Makes descriptor() readable. Any thread; safe in a signal handler.
  void wake() noexcept;
  // Whether this is the thread that reads the letters.
  bool mine() const noexcept;

  // For the loop alone:
  int descriptor() const noexcept { return wake_.number(); }
  void enter() noexcept; // from now on this is that thread
  void leave() noexcept;
  void open() noexcept; // every letter there is; what one throws costs no other
  void close();         // drops them, and those to come

private:
  Descriptor wake_; // eventfd
  std::mutex mutex_;
  std::vector<Letter> letters_;
  std::shared_ptr<Errand> errands_; // the first of a list
  bool closed_ = false;
};

} // namespace skillhost::http
