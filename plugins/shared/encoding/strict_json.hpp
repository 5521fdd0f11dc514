// SPDX-License-Identifier: Apache-2.0
// JSON whose meaning nobody can argue about: two readers of it see the same document.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace skillhost::encoding {

// Reads one JSON object (RFC 8259). Nothing when `text` is anything else, has a name twice in one
// object, invalid UTF-8, or arrays and objects more than `depth` inside one another. Does not
// recurse; throws std::bad_alloc alone.
std::optional<nlohmann::json> readJsonObject(std::string_view text, std::size_t depth = 16);

} // namespace skillhost::encoding
