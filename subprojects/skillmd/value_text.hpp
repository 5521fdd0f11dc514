// SPDX-License-Identifier: Apache-2.0
// Extracts the text that a person reads in a value that YAML refuses, and writes text so that YAML
// accepts it.
#pragma once

#include "front_matter_entries.hpp"

#include <string>
#include <string_view>

namespace skillhost {

// Returns the text of the value, without surrounding quotation marks and without a leading `|` or
// `>`. Indented lines are joined as YAML joins them; others keep their breaks.
std::string valueText(const FrontMatterEntry &entry);
// Returns the lines of a value below its key, without their common indentation.
std::string linesText(std::string_view lines);

// Returns `text` as a YAML scalar in double quotes, on one line.
std::string doubleQuoted(std::string_view text);

// Replaces each tab in an indentation by two spaces, and one behind `key:` by one space.
std::string withoutTabs(std::string_view yaml);
// Replaces pairs of \u escapes that form one character by that character, and doubles a backslash
// that escapes nothing.
std::string withReadableEscapes(std::string_view yaml);
// Returns UTF-8. Invalid bytes are taken for Windows-1252, and control characters are removed.
std::string withReadableBytes(std::string_view yaml);
// Removes the indentation that all lines share.
std::string withoutIndent(std::string_view yaml);

} // namespace skillhost
