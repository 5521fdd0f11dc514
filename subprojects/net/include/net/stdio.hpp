// SPDX-License-Identifier: Apache-2.0
// Messages over two file descriptors, one line each. Reads on the calling thread; whoever has a
// message writes it, so that an answer found at once costs no change of threads, and waits for
// nobody: what the client does not take at once is left to a thread of its own.
#pragma once

#include "ground/fragments.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace skillhost {

// Handles the lines that come in, on the reading thread. What it throws is logged.
struct LineHandler {
  std::function<void(std::string_view line)> line; // without its end; never empty
  // A line over the limit is not kept. Its pieces come in their order, and then its end. Where
  // memory is short the limit is lower.
  std::function<void(std::string_view piece)> piece;
  std::function<void(std::size_t limit)> tooLong;
  // The lines that were read together have been handled, and their answers were given to the
  // system as far as it took them. Optional.
  std::function<void()> handled;
};

class StdioTransport {
public:
  // The descriptors stay the caller's. `maxLine` in bytes.
  StdioTransport(int input, int output, std::size_t maxLine);
  ~StdioTransport();
  StdioTransport(const StdioTransport &) = delete;
  StdioTransport &operator=(const StdioTransport &) = delete;

  enum class End { Input, OutputClosed, Stopped };
  // Reads until the input ends (a last line without its end counts), the other side stops
  // listening, or stop(). Pauses while more than 8 MiB are unsent.
  End run(const LineHandler &handler);
  // Ends run() soon. Any thread; safe in a signal handler.
  void stop() noexcept;
  // Sends one message and its line end, whole and in one piece with no other. Any thread, never
  // waits. Dropped when nobody listens any more. Throws std::bad_alloc, and then sends nothing.
  void send(Fragments message);
  // Whether so much is unsent that run() pauses. Any thread.
  bool full() const;
  // Waits until all is sent, as long as some of it moves within every `span`.
  void finish(std::chrono::milliseconds span);

private:
  class Output;
  void wake() noexcept;
  int input_;
  std::size_t maxLine_;
  int wake_; // eventfd: something other than input is to be looked at
  std::atomic<bool> stopping_{false};
  std::unique_ptr<Output> output_;
};

} // namespace skillhost
