// SPDX-License-Identifier: Apache-2.0
// Work that other threads hand to the thread of an event loop. Outlives the loop.
#pragma once

#include "ground/descriptor.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace skillhost::http {

class Mailbox;

// A task that can be posted once, without memory.
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
  // Posts a letter from any thread. Letters are read in order, and dropped once the mailbox is
  // closed. Throws std::bad_alloc, and then posts nothing.
  void post(Letter letter);
  // Posts an errand, without memory. Errands have no order.
  void post(std::shared_ptr<Errand> errand) noexcept;
  // Makes descriptor() readable. May be called on any thread and in a signal handler.
  void wake() noexcept;
  // True on the thread that reads the letters.
  bool mine() const noexcept;

  // Only the loop calls these:
  int descriptor() const noexcept { return wake_.number(); }
  void enter() noexcept; // makes this thread the reader
  void leave() noexcept;
  void open() noexcept; // reads every letter; one that throws does not stop the others
  void close();         // drops all letters, now and later

private:
  Descriptor wake_; // eventfd
  std::mutex mutex_;
  std::vector<Letter> letters_;
  std::shared_ptr<Errand> errands_; // head of a linked list
  bool closed_ = false;
};

} // namespace skillhost::http
