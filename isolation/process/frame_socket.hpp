// SPDX-License-Identifier: Apache-2.0
// An end of a stream socket that carries frames. Only shut() may be called from another thread.
#pragma once

#include "ground/descriptor.hpp"
#include "process/wire.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::process {

using Moment = std::chrono::steady_clock::time_point; // max(): never

constexpr std::size_t batchBytes = 256U << 10U; // an answer is sent in frames of this size
constexpr std::size_t maxRecordBytes = (1U << 20U) + 1024; // a message of 1 MiB with its channel
constexpr std::size_t maxAnswerFrameBytes = batchBytes + maxRecordBytes + 4096;
constexpr std::size_t maxRequestFrameBytes = 256U << 20U;

class FrameSocket {
public:
  enum class Got : std::uint8_t { Frame, Nothing, Closed, TooLong };
  enum class Sent : std::uint8_t { All, Part, Closed };

  // `limit` is the longest accepted frame, in bytes. A longer frame is never collected.
  FrameSocket(Descriptor descriptor, std::size_t limit)
      : descriptor_(std::move(descriptor)), limit_(limit) {}

  // Sends the whole frame. Returns false if the other end closed or does not take it in time.
  bool send(Packer &frame, Moment until);
  // Sends as much of the rest of a frame as the other end takes in time, and removes it from
  // `rest`. No other frame may be sent before all of it is.
  Sent sendPart(std::string_view &rest, Moment until);
  // Returns the next frame, valid until the next call. It checks at least once, even if `until` is
  // past.
  Got receive(Moment until, std::string_view &frame);
  // Lets waiting callers at both ends return Closed. Any thread may call it.
  void shut() noexcept;
  // Tells the other end that nothing more will be sent.
  void endSending() noexcept;
  int number() const noexcept { return descriptor_.number(); }

private:
  bool buffered(std::string_view &frame, bool &tooLong);
  Descriptor descriptor_;
  std::size_t limit_;
  WipedText buffer_;
  std::size_t begin_ = 0, filled_ = 0; // range of received bytes not handed out yet
};

} // namespace skillhost::process
