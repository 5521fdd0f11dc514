// SPDX-License-Identifier: Apache-2.0
// Undoes the chunked transfer coding (RFC 9112 §7.1), byte by byte and to the letter: every line
// ends in CRLF, and is bounded. Extensions and trailer fields are passed over.
#pragma once

#include "head_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::http {

class ChunkDecoder {
public:
  explicit ChunkDecoder(std::size_t maxBody) : maxBody_(maxBody) {}
  // Appends the data to `body`; returns how many bytes belong to the message: all of them, unless
  // it is done or refused.
  std::size_t feed(std::string_view bytes, std::string &body);
  void limit(std::size_t maxBody) noexcept { maxBody_ = std::min(maxBody_, maxBody); }
  bool done() const noexcept { return part_ == Part::Done; }
  const std::optional<Refusal> &refusal() const noexcept { return refusal_; }

private:
  enum class Part {
    FirstDigit,
    Size,
    Extension,
    SizeEnd, // the LF
    Data,
    DataReturn, // the CR after it
    DataEnd,
    TrailerBegin,
    TrailerName,
    TrailerValue,
    TrailerEnd,
    LastEnd,
    Done
  };
  void take(char byte);
  void takeSize(char byte);
  void takeTrailer(char byte);
  void expect(char byte, char wanted, Part next);
  void refuse(Refusal refusal) { refusal_ = refusal; }

  std::size_t maxBody_;
  Part part_ = Part::FirstDigit;
  std::size_t size_ = 0;   // of the data so far
  std::uint64_t left_ = 0; // of this chunk
  std::size_t line_ = 0;   // bytes of this line, or of the whole trailer
  std::optional<Refusal> refusal_;
};

} // namespace skillhost::http
