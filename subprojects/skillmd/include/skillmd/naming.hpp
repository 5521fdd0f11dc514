// SPDX-License-Identifier: Apache-2.0
// Makes and parses skill:// URIs (RFC 3986).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

inline constexpr std::string_view skillScheme = "skill://";
// The most bytes of a URI that can name a file: the longest path of a skill and of a file in it,
// with every byte escaped.
inline constexpr std::size_t maxUriBytes = 32U << 10U;

// Percent-encodes the characters that a path segment may not contain, and keeps '/'.
std::string encodePath(std::string_view path);
// Returns nothing if an escape is malformed or encodes a NUL, or if the path is longer than
// maxUriBytes.
std::optional<std::string> decodePath(std::string_view path);
// Returns "skill://<source>/<path…>/<name>". It omits the name if the folder has the same name, or
// if the name is not a path segment ("..", "a/b").
std::string skillUri(std::string_view source, std::string_view path, std::string_view name);

} // namespace skillhost
