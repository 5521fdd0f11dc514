// SPDX-License-Identifier: Apache-2.0
// Exchanges messages over two file descriptors, one line each. It reads on the calling thread. The
// thread that has a message writes it, so that an immediate answer costs no change of threads. No
// sender waits: a separate thread sends what the client does not take at once.
#pragma once

#include "ground/fragments.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace skillhost {

// Handles the received lines on the reading thread. Exceptions are logged.
struct LineHandler {
  std::function<void(std::string_view line)> line; // without its line end; never empty
  // A line above the limit is not kept: its pieces are passed in order, followed by tooLong. If
  // memory is short, the limit is lower.
  std::function<void(std::string_view piece)> piece;
  std::function<void(std::size_t limit)> tooLong;
  // Called when lines that were read together have been handled, and their answers were given to
  // the system as far as it took them. Optional.
  std::function<void()> handled;
};

class StdioTransport {
public:
  // The caller keeps the ownership of the descriptors. `maxLine` is in bytes.
  StdioTransport(int input, int output, std::size_t maxLine);
  ~StdioTransport();
  StdioTransport(const StdioTransport &) = delete;
  StdioTransport &operator=(const StdioTransport &) = delete;

  enum class End { Input, OutputClosed, Stopped };
  // Reads until the input ends (a last line needs no line end), the client stops reading, or
  // stop(). Pauses while more than 8 MiB are unsent.
  End run(const LineHandler &handler);
  // Ends run() soon. May be called on any thread and in a signal handler.
  void stop() noexcept;
  // Sends one message and its line end, never mixed with another message. May be called on any
  // thread and never waits. Drops the message if the client has gone. Throws std::bad_alloc, and
  // then sends nothing.
  void send(Fragments message);
  // True if so many bytes are unsent that run() pauses. May be called on any thread.
  bool full() const;
  // Waits until everything is sent, and gives up when nothing moves within `span`.
  void finish(std::chrono::milliseconds span);

private:
  class Output;
  void wake() noexcept;
  int input_;
  std::size_t maxLine_;
  int wake_; // eventfd: wakes the reader for anything but input
  std::atomic<bool> stopping_{false};
  std::unique_ptr<Output> output_;
};

} // namespace skillhost
