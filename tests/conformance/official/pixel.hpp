// SPDX-License-Identifier: Apache-2.0
// The smallest possible image and the shortest sound, as MCP carries them.
#pragma once

namespace fixture {

inline constexpr const char *png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJgg"
    "g==";
inline constexpr const char *wave = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

} // namespace fixture
