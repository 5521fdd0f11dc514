// SPDX-License-Identifier: Apache-2.0
// The thread that owns every connection. It waits for descriptors, for the next tick, and for
// letters from other threads. Wraps epoll.
#pragma once

#include "mailbox.hpp"

#include <chrono>
#include <exception>
#include <functional>
#include <memory>

namespace skillhost::http {

// The loop's thread calls these functions.
class Watched {
public:
  virtual ~Watched() = default;
  virtual void readable() = 0;
  virtual void writable() {}
  virtual void onHangUp() {} // both sides have ended, or the client has reset the connection
  // One of these functions has thrown. The other connections must continue.
  virtual void failed(const std::exception &why) noexcept = 0;
};

class EventLoop {
public:
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop &) = delete;
  EventLoop &operator=(const EventLoop &) = delete;

  // Waits for one descriptor, which belongs to the caller. Destroy the watch before you close the
  // descriptor.
  class Watch {
  public:
    Watch(EventLoop &loop, int descriptor); // throws std::system_error
    ~Watch();
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;
    // Each calls readable(), writable() or onHangUp() once, later. Do not call it while one of the
    // same kind is pending.
    void awaitReadable(std::shared_ptr<Watched> who);
    void awaitWritable(std::shared_ptr<Watched> who);
    void awaitHangUp(std::shared_ptr<Watched> who);

  private:
    friend class EventLoop;
    struct Inner;
    std::unique_ptr<Inner> inner_;
  };

  // Calls `tick` about once in `span`, from the first round of run() on.
  void every(std::chrono::milliseconds span, std::function<void()> tick);
  // Serves the mailbox and the descriptors on this thread until `done` returns true. It checks
  // `done` after each of them.
  void run(const std::function<bool()> &done);
  const std::shared_ptr<Mailbox> &mailbox() const noexcept { return mailbox_; }

private:
  struct Inner;
  std::shared_ptr<Mailbox> mailbox_;
  std::unique_ptr<Inner> inner_;
};

} // namespace skillhost::http
