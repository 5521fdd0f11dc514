// SPDX-License-Identifier: Apache-2.0
// "did you mean ...?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace skillhost::app {

// Returns the candidate nearest to `word`; empty if none is near: at most a third of its letters
// may differ.
std::string_view nearest(std::string_view word, std::span<const std::string> candidates);

// Returns ` - did you mean "expose"?`, or an empty text.
std::string didYouMean(std::string_view word, std::span<const std::string> candidates);

} // namespace skillhost::app
