// SPDX-License-Identifier: Apache-2.0
// What differs between two texts, as people read it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

// The lines of a unified diff, with three lines around each change; without the lines that name the
// files. Empty when they are the same. Where they differ too much for the shortest way to be looked
// for, all the old lines go and all the new ones come. What is longer than `most` bytes is cut, and
// the last line says so. Any bytes; those of no text are shown as they are.
std::string differenceOf(std::string_view before, std::string_view now, std::size_t most);

} // namespace skillhost
