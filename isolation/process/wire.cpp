// SPDX-License-Identifier: Apache-2.0
#include "process/wire.hpp"

#include <bit>
#include <limits>

namespace skillhost::process {
namespace {

template <class Integer> void store(char *to, Integer value) noexcept {
  for (std::size_t i = 0; i < sizeof value; ++i)
    to[i] = static_cast<char>(static_cast<unsigned char>(value >> (8U * i)));
}

template <class Integer> Integer load(std::string_view from) noexcept {
  Integer value = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    value = static_cast<Integer>(
        value | static_cast<Integer>(Integer{static_cast<unsigned char>(from[i])} << (8U * i)));
  return value;
}

} // namespace

void Packer::clear() { bytes_.assign(sizeof(std::uint32_t), '\0'); }

void Packer::u32(std::uint32_t value) {
  bytes_.resize(bytes_.size() + sizeof value);
  store(bytes_.data() + bytes_.size() - sizeof value, value);
}

void Packer::u64(std::uint64_t value) {
  bytes_.resize(bytes_.size() + sizeof value);
  store(bytes_.data() + bytes_.size() - sizeof value, value);
}

void Packer::number(double value) { u64(std::bit_cast<std::uint64_t>(value)); }

void Packer::text(std::string_view value) {
  value = value.substr(0, std::numeric_limits<std::uint32_t>::max());
  u32(static_cast<std::uint32_t>(value.size()));
  bytes_ += value;
}

std::string_view Packer::frame() {
  store(bytes_.data(), static_cast<std::uint32_t>(size()));
  return bytes_;
}

std::string_view Unpacker::take(std::size_t size) noexcept {
  if (!good_ || size > rest_.size()) {
    good_ = false;
    return {};
  }
  const std::string_view bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

std::uint8_t Unpacker::u8() noexcept { return load<std::uint8_t>(take(1)); }
std::uint32_t Unpacker::u32() noexcept { return load<std::uint32_t>(take(sizeof(std::uint32_t))); }
std::uint64_t Unpacker::u64() noexcept { return load<std::uint64_t>(take(sizeof(std::uint64_t))); }
double Unpacker::number() noexcept { return std::bit_cast<double>(u64()); }
std::string_view Unpacker::text() noexcept { return take(u32()); }

} // namespace skillhost::process
