// SPDX-License-Identifier: Apache-2.0
// What a person reads in a value that YAML refuses, and how to write it so that YAML takes it.
#pragma once

#include "front_matter_entries.hpp"

#include <string>
#include <string_view>

namespace skillhost {

// The text of the value, without quotation marks around it and without a `|` or `>` before it.
// Indented lines below the first one are joined as YAML joins them, others keep their breaks.
std::string valueText(const FrontMatterEntry &entry);
// The lines of a value that stands below its key, without their common indentation.
std::string linesText(std::string_view lines);

// `text` as a YAML scalar in double quotes, on one line.
std::string doubleQuoted(std::string_view text);

// Every tab in an indentation as two spaces, and one behind `key:` as one.
std::string withoutTabs(std::string_view yaml);
// Pairs of \u escapes that name one character, as that character; a backslash that escapes nothing
// as itself.
std::string withReadableEscapes(std::string_view yaml);
// As UTF-8: what is none is taken for Windows-1252, control characters are left out.
std::string withReadableBytes(std::string_view yaml);
// Without the indentation that all lines share.
std::string withoutIndent(std::string_view yaml);

} // namespace skillhost
