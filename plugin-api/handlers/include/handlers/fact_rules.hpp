// SPDX-License-Identifier: Apache-2.0
// The rules of facts.h for a single fact, for the host and for `skillhost check`.
#pragma once

#include "ground/json.hpp"

#include <cstddef>
#include <string_view>

namespace skillhost {

inline constexpr std::size_t maxFacts = 16; // of a skill
inline constexpr std::size_t maxFactNameBytes = 64, maxFactTextBytes = 1'000;

bool isFactName(std::string_view name) noexcept;
// True for a short enough text, a number, true and false.
bool isFactValue(const Json &value);

} // namespace skillhost
