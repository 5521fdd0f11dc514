// SPDX-License-Identifier: Apache-2.0
#include "base64.hpp"

#include <array>
#include <cstddef>

namespace skillhost {

std::string encodeBase64(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    std::array<unsigned, 3> group{};
    for (std::size_t k = 0; k < 3 && k < left; ++k)
      group[k] = static_cast<unsigned char>(bytes[i + k]);
    const unsigned value = group[0] << 16U | group[1] << 8U | group[2];
    out += letters[value >> 18U];
    out += letters[(value >> 12U) & 63U];
    out += left > 1 ? letters[(value >> 6U) & 63U] : '=';
    out += left > 2 ? letters[value & 63U] : '=';
  }
  return out;
}

} // namespace skillhost
