// SPDX-License-Identifier: Apache-2.0
// Recognises the file of a public key where a secret key is expected. Its mode is nobody's fault.
#pragma once

#include <unistd.h>

#include <array>
#include <string_view>

namespace skillhost {

// Errors print this behind the path of such a file.
inline constexpr const char *isPublicKeyText =
    "is a public key: name the file of its secret key, without .pub";

// True if the open file begins as a public key in PEM. Does not move its position.
inline bool holdsPublicKey(int file) noexcept {
  constexpr std::string_view mark = "-----BEGIN PUBLIC KEY-----";
  std::array<char, mark.size()> start{};
  return ::pread(file, start.data(), start.size(), 0) == static_cast<ssize_t>(start.size()) &&
         std::string_view(start.data(), start.size()) == mark;
}

} // namespace skillhost
