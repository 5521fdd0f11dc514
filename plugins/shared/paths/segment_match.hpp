// SPDX-License-Identifier: Apache-2.0
// Matching within one segment of a path: `*`, `?`, `[...]` and `\`.
#pragma once

#include <string_view>

namespace skillhost::paths {

// `pattern` must be without fault. Characters are those of UTF-8.
bool matchSegment(std::string_view pattern, std::string_view name) noexcept;

// What is wrong with a segment of a pattern, a literal; nullptr when nothing is.
const char *segmentFault(std::string_view pattern) noexcept;

} // namespace skillhost::paths
