// SPDX-License-Identifier: Apache-2.0
// Encodes the bytes between host and runner: little-endian integers and length-prefixed texts, in
// frames with a length of type u32. The unpacker trusts nothing: a value beyond the end reads as
// empty and invalidates the whole frame.
#pragma once

#include "ground/wiped_text.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::process {

class Packer {
public:
  Packer() { clear(); }
  void clear(); // keeps the memory
  void u8(std::uint8_t value) { bytes_ += static_cast<char>(value); }
  void u32(std::uint32_t value);
  void u64(std::uint64_t value);
  void i32(std::int32_t value) { u32(static_cast<std::uint32_t>(value)); }
  void i64(std::int64_t value) { u64(static_cast<std::uint64_t>(value)); }
  void number(double value);
  void text(std::string_view value); // at most 4 GiB
  void append(std::string_view packed) { bytes_ += packed; }
  // Replaces the u8 that was packed first.
  void replaceFirst(std::uint8_t value) {
    bytes_[sizeof(std::uint32_t)] = static_cast<char>(value);
  }
  // Bytes packed so far, without the length in front.
  std::size_t size() const noexcept { return bytes_.size() - sizeof(std::uint32_t); }
  // Returns the whole frame, valid until the next change.
  std::string_view frame();

private:
  WipedText bytes_; // a request may hold a credential
};

class Unpacker {
public:
  explicit Unpacker(std::string_view bytes) noexcept : rest_(bytes) {}
  std::uint8_t u8() noexcept;
  std::uint32_t u32() noexcept;
  std::uint64_t u64() noexcept;
  std::int32_t i32() noexcept { return static_cast<std::int32_t>(u32()); }
  std::int64_t i64() noexcept { return static_cast<std::int64_t>(u64()); }
  double number() noexcept;
  std::string_view text() noexcept; // points into the unpacked bytes
  bool good() const noexcept { return good_; }
  bool hasMore() const noexcept { return good_ && !rest_.empty(); }

private:
  std::string_view take(std::size_t size) noexcept;
  std::string_view rest_;
  bool good_ = true;
};

} // namespace skillhost::process
