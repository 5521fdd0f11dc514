// SPDX-License-Identifier: Apache-2.0
// Shows the difference between two texts for people.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

// Returns the lines of a unified diff with three lines of context, without the lines that name the
// files; empty if the texts are equal. If the texts differ too much for a search of the shortest
// edit script, all old lines are removed and all new ones added. A result of more than `maxBytes`
// bytes is cut, and its last line says so. Accepts any bytes; bytes that are no text are copied
// unchanged.
std::string differenceOf(std::string_view before, std::string_view now, std::size_t maxBytes);

// Passes to `add`, piece by piece, a difference that adds every line of a text; nothing if the text
// is empty. It makes no list of the lines, so it is for texts of any length.
void addWholeText(std::string_view text, const std::function<void(std::string_view)> &add);

} // namespace skillhost
