// SPDX-License-Identifier: Apache-2.0
#include "protocol_message.hpp"

#include <skillhost/plugin.hpp>

#include <cstring>
#include <string>

namespace skillhost::embedding {

void ProtocolMessage::refuse(const char *why) const {
  throw skh::Error(SKH_INVALID, std::string(called_) + " " + why);
}

bool ProtocolMessage::next() {
  if (rest_.empty()) return false;
  const std::uint64_t key = number();
  field_ = key >> 3U;
  kind_ = static_cast<Kind>(key & 7U);
  switch (kind_) {
  case Kind::Number:
    value_ = number();
    break;
  case Kind::Eight:
    take(8);
    break;
  case Kind::Bytes:
    take(number());
    break;
  case Kind::Four:
    take(sizeof(float));
    break;
  default:
    refuse("is damaged: it has a field of an unknown kind");
  }
  return true;
}

void ProtocolMessage::require(Kind kind) const {
  if (kind_ != kind) refuse("is damaged: a field is of the wrong kind");
}

std::uint64_t ProtocolMessage::value() const {
  require(Kind::Number);
  return value_;
}

float ProtocolMessage::number32() const {
  require(Kind::Four);
  float number = 0;
  std::memcpy(&number, bytes_.data(), sizeof number); // little endian, like all supported machines
  return number;
}

std::string_view ProtocolMessage::bytes() const {
  require(Kind::Bytes);
  return bytes_;
}

std::uint64_t ProtocolMessage::number() {
  constexpr unsigned maxBits = 64, bitsEach = 7;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < maxBits && !rest_.empty(); shift += bitsEach) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  refuse("is cut off, or damaged");
}

void ProtocolMessage::take(std::uint64_t count) {
  if (count > rest_.size()) refuse("is cut off, or damaged");
  bytes_ = rest_.substr(0, static_cast<std::size_t>(count));
  rest_.remove_prefix(static_cast<std::size_t>(count));
}

} // namespace skillhost::embedding
