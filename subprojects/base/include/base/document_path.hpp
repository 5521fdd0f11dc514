// SPDX-License-Identifier: Apache-2.0
// The rules for the name of a document, from whatever source.
#pragma once

#include <cstddef>
#include <string_view>

namespace skillhost {

constexpr std::size_t maxDocumentPathBytes = 4096; // bytes

// Returns an empty text if `path` is relative, at most `maxDocumentPathBytes` long, separated by
// '/', without a backslash and without empty, "." or ".." segments, and of printable UTF-8.
// Otherwise returns what is wrong with it, such as "is empty". May be called on any thread.
std::string_view faultInDocumentPath(std::string_view path) noexcept;

} // namespace skillhost
