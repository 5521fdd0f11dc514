// SPDX-License-Identifier: Apache-2.0
// How far two words are apart, for "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace skillhost {

// The least number of bytes to insert, delete, replace or swap with their neighbour that turn one
// word into the other (optimal string alignment). Takes time and memory by the product of their
// lengths: let both be short. Any thread.
std::size_t editDistance(std::string_view a, std::string_view b);

} // namespace skillhost
