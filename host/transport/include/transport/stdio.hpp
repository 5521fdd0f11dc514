// SPDX-License-Identifier: Apache-2.0
// Messages over two file descriptors, one line each. Reads on the calling thread; whoever has a
// message writes it, so that an answer found at once costs no change of threads.
#pragma once

#include "base/fragments.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace skillhost {

// What happens to the lines that come in; on the reading thread.
struct LineHandler {
  std::function<void(std::string_view line)> line; // without its end; never empty
  std::function<void(std::size_t limit)> tooLong;  // once for a line over the limit; it is skipped
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
  // listening, or stop().
  End run(const LineHandler &handler);
  // Ends run() soon. Any thread; safe in a signal handler.
  void stop() noexcept;
  // Sends one message and its line end, whole and in one piece with no other. Any thread; waits
  // while more than 8 MiB are unsent. Dropped when nobody listens any more.
  void send(Fragments message);

private:
  class Output;
  int input_;
  std::size_t maxLine_;
  int wake_; // eventfd
  std::unique_ptr<Output> output_;
};

} // namespace skillhost
