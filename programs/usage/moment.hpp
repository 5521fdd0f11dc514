// SPDX-License-Identifier: Apache-2.0
// Reads the moments that --since and --until of `skillhost usage` name.
#pragma once

#include "ground/result.hpp"

#include <cstdint>
#include <string_view>

namespace skillhost {

// Returns "7d", "12h", "30m", "2026-07-28" or "2026-07-28T09:30:00Z" as Unix milliseconds; spans
// are counted back from `now`. InvalidInput says what to write.
Result<std::int64_t> usageMoment(std::string_view text, std::int64_t now);

} // namespace skillhost
