// SPDX-License-Identifier: Apache-2.0
// The distance between two words, for "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace skillhost {

// Returns the least number of bytes to insert, delete, replace or swap with a neighbour that turns
// one word into the other (optimal string alignment). Time and memory grow with the product of the
// lengths, so both must be short. May be called on any thread.
std::size_t editDistance(std::string_view a, std::string_view b);

} // namespace skillhost
