// SPDX-License-Identifier: Apache-2.0
#include "ground/random.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace skillhost {

void fillRandom(std::span<unsigned char> bytes) {
  if (::getentropy(bytes.data(), bytes.size()) != 0)
    throw std::system_error(errno, std::generic_category(), "no random numbers");
}

std::string randomHex(std::size_t bytes) {
  std::array<unsigned char, 256> random{};
  fillRandom(std::span(random).first(bytes));
  std::string text;
  text.reserve(2 * bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    text += "0123456789abcdef"[random[i] >> 4U];
    text += "0123456789abcdef"[random[i] & 15U];
  }
  return text;
}

} // namespace skillhost
