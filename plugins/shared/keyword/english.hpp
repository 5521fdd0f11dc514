// SPDX-License-Identifier: Apache-2.0
// English words that say little, as lists separated by single spaces.
#pragma once

#include <string_view>

namespace skillhost::keyword {

// Never indexed, never asked for.
extern const std::string_view englishStopWords;
// Indexed like any word, but asked for with less weight in a long query.
extern const std::string_view englishRequestWords;

} // namespace skillhost::keyword
