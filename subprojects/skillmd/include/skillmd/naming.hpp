// SPDX-License-Identifier: Apache-2.0
// skill:// URIs (RFC 3986): made from names, and taken apart again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

inline constexpr std::string_view skillScheme = "skill://";
// Bytes of a URI that can name a file of ours: the longest path of a skill and of a file in it,
// every byte escaped.
inline constexpr std::size_t longestUri = 32U << 10U;

// Percent-encodes what may not stand in a path segment; '/' stays.
std::string encodePath(std::string_view path);
// Nothing when an escape is malformed or hides a NUL, or when it is longer than longestUri.
std::optional<std::string> decodePath(std::string_view path);
// "skill://<source>/<path…>/<name>": the folder's own name is not said twice, and a name that is no
// segment of a path ("..", "a/b") not at all.
std::string skillUri(std::string_view source, std::string_view path, std::string_view name);

} // namespace skillhost
