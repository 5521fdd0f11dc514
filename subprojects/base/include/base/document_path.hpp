// SPDX-License-Identifier: Apache-2.0
// The rules for the name of a document, from whatever source.
#pragma once

#include <cstddef>
#include <string_view>

namespace skillhost {

constexpr std::size_t longestDocumentPath = 4096;

// Returns an empty text if `path` is relative, '/' separated, without empty, "." or ".." segments,
// and of printable UTF-8; else what is wrong with it: "is empty". Any thread.
std::string_view faultInDocumentPath(std::string_view path) noexcept;

} // namespace skillhost
