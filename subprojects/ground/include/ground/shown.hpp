// SPDX-License-Identifier: Apache-2.0
// Makes texts safe to show on a terminal, in a file or in the log: foreign names and texts in them
// can neither control the terminal nor change the direction of text. May be called on any thread.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace skillhost {

// Escapes control characters except "\n" and "\t", characters that change the direction of text,
// and invalid UTF-8, as \x1b or \u202e.
std::string shownText(std::string_view text);
// Does the same in one line: line ends and tabs become blanks.
std::string shownLine(std::string_view text);

// Prints a whole JSON text and a line break. JSON may contain DEL, the controls from U+0080 on and
// marks of direction; these are printed as \u009b, which programs read in the same way.
void printJsonText(std::FILE *to, std::string_view json);

// Prints like std::fprintf, with everything passed through shownText(). The result is only for
// people.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void printShown(std::FILE *to, const char *format, ...);

} // namespace skillhost
