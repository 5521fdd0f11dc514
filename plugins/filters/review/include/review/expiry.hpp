// SPDX-License-Identifier: Apache-2.0
// Parses the end of a decision as people write it.
#pragma once

#include "ground/result.hpp"

#include <cstdint>
#include <string_view>

namespace skillhost {

// Returns the end in seconds since 1970. `text` is a moment ("2026-07-28T09:30:00Z"), a day
// ("2026-07-28", which means its end in UTC) or a span from now ("90d", "12h", "30m", "4w"). The
// failure says what is accepted.
Result<std::int64_t> readExpiry(std::string_view text, std::int64_t now);

} // namespace skillhost
