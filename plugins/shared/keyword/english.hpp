// SPDX-License-Identifier: Apache-2.0
// These lists hold English words that carry little meaning, separated by single spaces.
#pragma once

#include <string_view>

namespace skillhost::keyword {

// Stop words are neither indexed nor searched for.
extern const std::string_view englishStopWords;
// Request words are indexed like any word but have less weight in a long query.
extern const std::string_view englishRequestWords;

} // namespace skillhost::keyword
