// SPDX-License-Identifier: Apache-2.0
// Decodes the chunked transfer coding (RFC 9112 §7.1) byte by byte and strictly: every line ends in
// CRLF and has a limit. Extensions and trailer fields are ignored.
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
  // Appends the data to `body`. Returns how many bytes belong to the message: all of them, unless
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
    SizeEnd, // expects the LF
    Data,
    DataReturn, // expects the CR after the data
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
  std::size_t size_ = 0;   // bytes of data so far
  std::uint64_t left_ = 0; // bytes left in this chunk
  std::size_t line_ = 0;   // bytes of this line, or of the whole trailer
  std::optional<Refusal> refusal_;
};

} // namespace skillhost::http
