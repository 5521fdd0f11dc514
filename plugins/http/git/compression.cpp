// SPDX-License-Identifier: Apache-2.0
#include "compression.hpp"

#include <boost/beast/zlib/deflate_stream.hpp>
#include <boost/beast/zlib/inflate_stream.hpp>
#include <boost/crc.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

namespace skillhost::git {
namespace {

namespace zlib = boost::beast::zlib;

// A third cheaper than git's own level, 6, for 2 % more bytes of usual skills.
constexpr int level = 4;
constexpr std::size_t trailerBytes = 8;

// RFC 1950, section 8.2
std::uint32_t adler32(std::string_view bytes) noexcept {
  constexpr std::uint32_t base = 65'521;
  constexpr std::size_t longest = 5'552; // so many bytes cannot overflow the sums
  std::uint32_t a = 1, b = 0;
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, longest);
    for (const char c : part) b += a += static_cast<unsigned char>(c);
    a %= base;
    b %= base;
    bytes.remove_prefix(part.size());
  }
  return b << 16U | a;
}

std::uint32_t littleEndian(std::string_view bytes, std::size_t at) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- != 0;)
    value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// Returns where the compressed bytes begin (RFC 1952, section 2.3).
std::optional<std::size_t> headerEnd(std::string_view packed) {
  constexpr std::size_t fixed = 10;
  constexpr unsigned hasCrc = 2, hasExtra = 4, hasName = 8, hasComment = 16, reserved = 0xE0;
  if (packed.size() < fixed || !packed.starts_with("\x1f\x8b\x08")) return std::nullopt;
  const auto flags = static_cast<unsigned char>(packed[3]);
  if ((flags & reserved) != 0) return std::nullopt;
  std::size_t at = fixed;
  if ((flags & hasExtra) != 0) {
    if (packed.size() < at + 2) return std::nullopt;
    at += 2 + static_cast<unsigned char>(packed[at]) +
          (std::size_t{static_cast<unsigned char>(packed[at + 1])} << 8U);
  }
  for (const unsigned flag : {hasName, hasComment}) {
    if ((flags & flag) == 0) continue;
    const std::size_t end = packed.find('\0', at);
    if (end == std::string_view::npos) return std::nullopt;
    at = end + 1;
  }
  if ((flags & hasCrc) != 0) at += 2;
  if (at > packed.size()) return std::nullopt;
  return at;
}

} // namespace

struct Deflater::Stream {
  zlib::deflate_stream deflate;
};

Deflater::Deflater() : stream_(std::make_unique<Stream>()) {
  constexpr int windowBits = 15, memoryLevel = 8;
  stream_->deflate.reset(level, windowBits, memoryLevel, zlib::Strategy::normal);
}

Deflater::~Deflater() = default;

std::string_view Deflater::deflate(std::string_view content) {
  constexpr std::string_view header = "\x78\x9c";
  constexpr std::string_view nothing("\x03\x00", 2);
  if (content.empty()) {
    out_ = std::string(header) + std::string(nothing);
  } else {
    constexpr std::size_t spare = 64;
    out_.resize(header.size() + stream_->deflate.upper_bound(content.size()) + spare);
    std::copy(header.begin(), header.end(), out_.begin());
    zlib::z_params state{};
    state.next_in = content.data();
    state.avail_in = content.size();
    state.next_out = out_.data() + header.size();
    state.avail_out = out_.size() - header.size();
    boost::beast::error_code why;
    stream_->deflate.write(state, zlib::Flush::finish, why);
    stream_->deflate.reset();
    if (why != zlib::error::end_of_stream)
      throw std::runtime_error("an object cannot be compressed: " + why.message());
    out_.resize(header.size() + state.total_out);
  }
  const std::uint32_t sum = adler32(content);
  for (const unsigned shift : {24U, 16U, 8U, 0U}) out_ += static_cast<char>(sum >> shift);
  return out_;
}

Result<std::string> gunzip(std::string_view packed, std::size_t maxBytes) {
  const Failure damaged{Fault::InvalidInput, "the body is no whole gzip file"};
  const std::optional<std::size_t> begin = headerEnd(packed);
  if (!begin) return damaged;
  zlib::inflate_stream stream;
  zlib::z_params state{};
  state.next_in = packed.data() + *begin;
  state.avail_in = packed.size() - *begin;
  constexpr std::size_t step = std::size_t{64} << 10U;
  std::string out;
  boost::beast::error_code why;
  while (!why) {
    const std::size_t had = out.size();
    if (had > maxBytes)
      return Failure{Fault::TooLarge,
                     "the unpacked body has more than " + std::to_string(maxBytes) + " bytes"};
    out.resize(had + step);
    state.next_out = out.data() + had;
    state.avail_out = step;
    stream.write(state, zlib::Flush::sync, why);
    out.resize(had + step - state.avail_out);
  }
  if (why != zlib::error::end_of_stream || state.avail_in != trailerBytes) return damaged;
  if (out.size() > maxBytes)
    return Failure{Fault::TooLarge,
                   "the unpacked body has more than " + std::to_string(maxBytes) + " bytes"};
  boost::crc_32_type sum;
  sum.process_bytes(out.data(), out.size());
  const std::size_t trailer = packed.size() - trailerBytes;
  if (littleEndian(packed, trailer) != sum.checksum() ||
      littleEndian(packed, trailer + 4) != static_cast<std::uint32_t>(out.size()))
    return damaged;
  return out;
}

} // namespace skillhost::git
