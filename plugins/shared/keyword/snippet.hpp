// SPDX-License-Identifier: Apache-2.0
// Picks the part of an entry's text that shows why the query found it.
#pragma once

#include "language.hpp"
#include "query.hpp"

#include <functional>

namespace skillhost::keyword {

inline constexpr std::size_t longestSnippet = 200; // bytes

// Returns plain text of the description, or of the body if that fits the query better. Runs of
// white space and control characters become one space. Words and characters stay whole, and "..."
// marks a cut. The result is empty if the entry has no text. The same input gives the same snippet.
// `body` is only called if the body may fit better.
std::string snippetOf(std::string_view description, const std::function<std::string()> &body,
                      const Query &query, Stemmer &stemmer);

} // namespace skillhost::keyword
