// SPDX-License-Identifier: Apache-2.0
// What a name of a document has to be like, whoever hands it over.
#pragma once

#include <cstddef>
#include <string_view>

namespace skillhost {

constexpr std::size_t longestDocumentPath = 4096;

// Empty when `path` is relative, '/' separated, without empty, "." or ".." segments, of printable
// UTF-8; else what is wrong with it: "is empty". Any thread.
std::string_view faultInDocumentPath(std::string_view path) noexcept;

} // namespace skillhost
