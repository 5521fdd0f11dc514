// SPDX-License-Identifier: Apache-2.0
// One end of a stream socket that carries frames. One thread at a time, save shut().
#pragma once

#include "ground/descriptor.hpp"
#include "process/wire.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::process {

using Moment = std::chrono::steady_clock::time_point; // max(): never

constexpr std::size_t batchBytes = 256U << 10U; // an answer is sent on when it has so many
constexpr std::size_t largestRecord = (1U << 20U) + 1024; // a message of 1 MiB with its channel
constexpr std::size_t largestAnswerFrame = batchBytes + largestRecord + 4096;
constexpr std::size_t largestRequestFrame = 256U << 20U;

class FrameSocket {
public:
  enum class Got : std::uint8_t { Frame, Nothing, Closed, TooLong };

  // `limit`: the longest frame taken in, in bytes; a longer one is never gathered.
  FrameSocket(Descriptor descriptor, std::size_t limit)
      : descriptor_(std::move(descriptor)), limit_(limit) {}

  // All of it; false when the other end has gone or does not take it in time.
  bool send(Packer &frame, Moment until);
  // The next frame, valid until the next call. Looks once at least, whatever `until` says.
  Got receive(Moment until, std::string_view &frame);
  // Whoever waits at either end hears Closed. Any thread.
  void shut() noexcept;
  // Says that nothing more will be sent.
  void endSending() noexcept;
  int number() const noexcept { return descriptor_.number(); }

private:
  bool buffered(std::string_view &frame, bool &tooLong);
  Descriptor descriptor_;
  std::size_t limit_;
  WipedText buffer_;
  std::size_t begin_ = 0, filled_ = 0; // of what has come and was not handed out
};

} // namespace skillhost::process
