// SPDX-License-Identifier: Apache-2.0
#include "chunk_decoder.hpp"

#include "ground/hexadecimal.hpp"

#include <algorithm>

namespace skillhost::http {
namespace {

constexpr std::size_t maxLine = 4096; // for a size with its extensions, and for the trailer
constexpr std::uint64_t maxSize = std::uint64_t{1} << 60U;
constexpr Refusal malformed{400, "the chunked coding is malformed"};

bool mayStandInLine(char byte) noexcept {
  return byte == '\t' || (static_cast<unsigned char>(byte) >= 0x20 && byte != 0x7f);
}

} // namespace

std::size_t ChunkDecoder::feed(std::string_view bytes, std::string &body) {
  std::size_t used = 0;
  while (used < bytes.size() && !done() && !refusal_) {
    if (part_ == Part::Data) {
      const auto size =
          static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - used));
      body.append(bytes.substr(used, size));
      used += size;
      size_ += size;
      left_ -= size;
      if (left_ == 0) part_ = Part::DataReturn;
    } else {
      take(bytes[used++]);
      if (++line_ > maxLine) refuse({400, "a line of the chunked coding is too long"});
    }
  }
  return used;
}

void ChunkDecoder::expect(char byte, char wanted, Part next) {
  if (byte != wanted) return refuse(malformed);
  part_ = next;
}

void ChunkDecoder::take(char byte) {
  switch (part_) {
  case Part::FirstDigit:
    left_ = line_ = 0;
    if (hexadecimalDigit(byte) < 0) return refuse(malformed);
    part_ = Part::Size;
    [[fallthrough]];
  case Part::Size:
  case Part::Extension:
    return takeSize(byte);
  case Part::SizeEnd:
    line_ = 0;
    return expect(byte, '\n', left_ == 0 ? Part::TrailerBegin : Part::Data);
  case Part::DataReturn:
    return expect(byte, '\r', Part::DataEnd);
  case Part::DataEnd:
    return expect(byte, '\n', Part::FirstDigit);
  case Part::TrailerBegin:
  case Part::TrailerName:
  case Part::TrailerValue:
    return takeTrailer(byte);
  case Part::TrailerEnd:
    return expect(byte, '\n', Part::TrailerBegin);
  case Part::LastEnd:
    return expect(byte, '\n', Part::Done);
  case Part::Data:
  case Part::Done:
    return;
  }
}

void ChunkDecoder::takeSize(char byte) {
  if (byte == '\r') {
    part_ = Part::SizeEnd;
    if (left_ > maxBody_ - size_) refuse(tooLarge);
  } else if (part_ == Part::Extension) {
    if (!mayStandInLine(byte)) refuse(malformed);
  } else if (const int digit = hexadecimalDigit(byte); digit >= 0 && left_ < maxSize / 16) {
    left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
  } else if (byte == ';') {
    part_ = Part::Extension;
  } else {
    refuse(malformed);
  }
}

void ChunkDecoder::takeTrailer(char byte) {
  if (byte == '\r') {
    if (part_ == Part::TrailerName) return refuse(malformed);
    part_ = part_ == Part::TrailerBegin ? Part::LastEnd : Part::TrailerEnd;
  } else if (!mayStandInLine(byte)) {
    refuse(malformed);
  } else if (part_ != Part::TrailerValue) {
    // A name has at least one letter and no white space.
    if (byte == ' ' || byte == '\t' || (byte == ':' && part_ == Part::TrailerBegin))
      return refuse(malformed);
    part_ = byte == ':' ? Part::TrailerValue : Part::TrailerName;
  }
}

} // namespace skillhost::http
