// SPDX-License-Identifier: Apache-2.0
// Parses the moments in --since and --until of `skillhost usage`.
#pragma once

#include "ground/result.hpp"

#include <cstdint>
#include <string_view>

namespace skillhost {

// Parses "7d", "12h", "30m", "2026-07-28" or "2026-07-28T09:30:00Z" to Unix milliseconds; spans are
// counted back from `now`. InvalidInput says what to write.
Result<std::int64_t> usageMoment(std::string_view text, std::int64_t now);

} // namespace skillhost
