// SPDX-License-Identifier: Apache-2.0
// "did you mean ...?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace skillhost::app {

// The candidate nearest to `word`, empty when none is near: at most a third of its letters differ.
std::string_view nearest(std::string_view word, std::span<const std::string> candidates);

// ` - did you mean "expose"?`, or an empty text.
std::string didYouMean(std::string_view word, std::span<const std::string> candidates);

} // namespace skillhost::app
