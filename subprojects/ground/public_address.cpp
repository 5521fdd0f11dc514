// SPDX-License-Identifier: Apache-2.0
#include "ground/public_address.hpp"

#include <algorithm>
#include <initializer_list>

namespace skillhost {
namespace {

struct Range {
  std::uint32_t first;
  unsigned bits;
};

// RFC 6890 and its successors.
constexpr std::array<Range, 14> reserved{{{0x00000000, 8},
                                          {0x0A000000, 8},
                                          {0x64400000, 10},
                                          {0x7F000000, 8},
                                          {0xA9FE0000, 16},
                                          {0xAC100000, 12},
                                          {0xC0000000, 24},
                                          {0xC0000200, 24},
                                          {0xC0A80000, 16},
                                          {0xC6120000, 15},
                                          {0xC6336400, 24},
                                          {0xCB007100, 24},
                                          {0xE0000000, 4},
                                          {0xF0000000, 4}}};

bool isReserved(const std::uint8_t *four) {
  const std::uint32_t address = (std::uint32_t{four[0]} << 24U) | (std::uint32_t{four[1]} << 16U) |
                                (std::uint32_t{four[2]} << 8U) | four[3];
  return std::any_of(reserved.begin(), reserved.end(), [&](const Range &range) {
    return address >> (32 - range.bits) == range.first >> (32 - range.bits);
  });
}

} // namespace

bool isMappedAddress(const AddressBytes &address) noexcept {
  return std::all_of(address.begin(), address.begin() + 10, [](auto byte) { return byte == 0; }) &&
         address[10] == 0xFF && address[11] == 0xFF;
}

AddressBytes mappedAddress(const std::uint8_t *four) noexcept {
  AddressBytes bytes{};
  bytes[10] = bytes[11] = 0xFF;
  std::copy_n(four, 4, bytes.begin() + 12);
  return bytes;
}

bool isPublicAddress(const AddressBytes &address) noexcept {
  const auto startsWith = [&](std::initializer_list<std::uint8_t> start) {
    return std::equal(start.begin(), start.end(), address.begin());
  };
  if (isMappedAddress(address)) return !isReserved(&address[12]);
  if (startsWith({0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0})) // NAT64
    return !isReserved(&address[12]);
  if (startsWith({0x20, 0x02})) return !isReserved(&address[2]); // 6to4
  // Only 2000::/3 is globally assigned. 2001:db8::/32 is for documentation, and 2001::/32 embeds an
  // IPv4 address.
  return (address[0] & 0xE0U) == 0x20U && !startsWith({0x20, 0x01, 0x0D, 0xB8}) &&
         !startsWith({0x20, 0x01, 0, 0});
}

} // namespace skillhost
