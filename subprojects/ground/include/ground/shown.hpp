// SPDX-License-Identifier: Apache-2.0
// Makes texts fit for people, on a terminal, in a file or in the log: the names and texts of others
// in them cannot speak to the terminal or turn the text around. Any thread may call it.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace skillhost {

// Writes control characters but "\n" and "\t", what changes the direction of text, and what is no
// UTF-8 as \x1b or \u202e.
std::string shownText(std::string_view text);
// Does the same in one line: line ends and tabs become blanks.
std::string shownLine(std::string_view text);

// Prints a whole text of JSON, and a line break behind it. JSON may hold DEL, the controls from
// U+0080 on and marks of direction as they are; here they are \u009b, which programs read alike.
void printJsonText(std::FILE *to, std::string_view json);

// Prints as std::fprintf does, all of it as shownText(). Only people read the result.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void printShown(std::FILE *to, const char *format, ...);

} // namespace skillhost
