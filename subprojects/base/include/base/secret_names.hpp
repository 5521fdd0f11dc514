// SPDX-License-Identifier: Apache-2.0
// Plugins name their settings freely, so settings that hold secrets are recognised by words in
// their names.
#pragma once

#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace skillhost {

// Returns true if the value of a setting with this name must never be shown.
inline bool isSecretSettingName(std::string_view key) {
  constexpr std::array<std::string_view, 8> words{"token",      "secret",     "password",
                                                  "passphrase", "credential", "api_key",
                                                  "apikey",     "private_key"};
  const std::string lower = asciiLowered(key);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

} // namespace skillhost
