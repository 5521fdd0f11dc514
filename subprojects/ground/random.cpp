// SPDX-License-Identifier: Apache-2.0
#include "ground/random.hpp"

#include "ground/hexadecimal.hpp"

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
  return hexadecimal(std::span(random).first(bytes));
}

} // namespace skillhost
