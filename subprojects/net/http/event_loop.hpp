// SPDX-License-Identifier: Apache-2.0
// The thread that owns every connection: waits for descriptors, for the next moment, and for what
// other threads hand over. Wraps epoll.
#pragma once

#include "mailbox.hpp"

#include <chrono>
#include <exception>
#include <functional>
#include <memory>

namespace skillhost::http {

// Called on the loop's thread.
class Watched {
public:
  virtual ~Watched() = default;
  virtual void readable() = 0;
  virtual void writable() {}
  virtual void hungUp() {} // neither side sends any more, or the other one has reset the connection
  // One of these functions has thrown. The other connections must go on.
  virtual void failed(const std::exception &why) noexcept = 0;
};

class EventLoop {
public:
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop &) = delete;
  EventLoop &operator=(const EventLoop &) = delete;

  // Waits on one descriptor, which stays its owner's. To be destroyed before that is closed.
  class Watch {
  public:
    Watch(EventLoop &loop, int descriptor); // throws std::system_error
    ~Watch();
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;
    // Calls readable(), writable() or hungUp() once, later. Not while one of the same kind is
    // awaited.
    void awaitReadable(std::shared_ptr<Watched> who);
    void awaitWritable(std::shared_ptr<Watched> who);
    void awaitHangUp(std::shared_ptr<Watched> who);

  private:
    friend class EventLoop;
    struct Inner;
    std::unique_ptr<Inner> inner_;
  };

  // Calls `tick` about so often, from the first round of run() on.
  void every(std::chrono::milliseconds span, std::function<void()> tick);
  // Calls `letters` on this thread when the mailbox was posted to, and what waits on descriptors,
  // until `done` says so; that is asked after each of them.
  void run(const std::function<bool()> &done);
  const std::shared_ptr<Mailbox> &mailbox() const noexcept { return mailbox_; }

private:
  struct Inner;
  std::shared_ptr<Mailbox> mailbox_;
  std::unique_ptr<Inner> inner_;
};

} // namespace skillhost::http
