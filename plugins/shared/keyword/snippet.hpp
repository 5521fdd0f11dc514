// SPDX-License-Identifier: Apache-2.0
// In: an entry and what was looked for. Out: the line of its text that shows why it was found.
#pragma once

#include "language.hpp"
#include "query.hpp"

#include <functional>

namespace skillhost::keyword {

inline constexpr std::size_t longestSnippet = 200; // bytes

// Plain text of the description, or of the body where that fits the query better: runs of white
// space and control characters become one space, words and characters stay whole, "..." marks a
// cut. Empty when the entry has no text. The same input gives the same snippet.
// `body` is asked for the body where it may fit better.
std::string snippetOf(std::string_view description, const std::function<std::string()> &body,
                      const Query &query, Stemmer &stemmer);

} // namespace skillhost::keyword
