// SPDX-License-Identifier: Apache-2.0
// Finds passages in a skill's text that somebody should look at before trusting it. Patterns
// advise; they affect serving only where trust rules say so (plugins/filters/review).
#pragma once

#include "skillcheck/site_rules.hpp"
#include "skillmd/finding.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

enum class TextKind : std::uint8_t {
  ByName,  // the name of the file, or `#!`, tells a script from a document
  Program, // a shell runs it, whatever its name; a name or `#!` of another language still counts
};

// Returns each rule at most once, at its most severe place and with the number of places, in the
// order of the text. `file` is named in the findings; its name tells a script from a document. The
// text is read as a shell, an interpreter and a person would read it. `siteRules` are searched for,
// too. Takes linear time. `text` may be any bytes. May be called on any thread.
std::vector<Finding> inspectText(std::string_view text, std::string_view file,
                                 std::span<const SiteRule> siteRules = {},
                                 TextKind kind = TextKind::ByName);

// Converts UTF-16 with a byte order mark to UTF-8, and returns other texts unchanged. Returns an
// empty text for other data, see isData().
std::string readableText(std::string bytes, std::string_view file);

// Returns true for bytes that are no text: a NUL among the first bytes, no `#!`, and not the name
// of a script or document.
bool isData(std::string_view bytes, std::string_view file);

// Returns true if the name alone shows that a file is a script or a document.
bool namesText(std::string_view file) noexcept;

} // namespace skillhost
