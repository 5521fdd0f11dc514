// SPDX-License-Identifier: Apache-2.0
// Which settings hold secrets: by their names, as plugins name theirs themselves.
#pragma once

#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace skillhost {

// Whether the value of a setting of this name is never to be shown, be it well or badly written.
inline bool namesSecret(std::string_view key) {
  constexpr std::array<std::string_view, 8> words{"token",      "secret",     "password",
                                                  "passphrase", "credential", "api_key",
                                                  "apikey",     "private_key"};
  const std::string lower = asciiLowered(key);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

} // namespace skillhost
