// SPDX-License-Identifier: Apache-2.0
// What in a text of a skill somebody should look at before trusting it. Patterns advise; they
// decide what is served only where rules of trust say so (plugins/filters/review).
#pragma once

#include "skillmd/finding.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// `file` is named in the findings; its name tells a script from a document. Each rule at most once,
// at the place where it weighs most, with the number of places; in the order of the text. The text
// is read as a shell, an interpreter and a person would: see normalised_text.hpp. Linear time;
// `text` may be any bytes. Any thread.
std::vector<Finding> inspectText(std::string_view text, std::string_view file);

// A text in UTF-16 with a byte order mark as UTF-8, others as they are. What is no text (a NUL
// among its first bytes, no `#!`, and a name of no script or document) becomes empty.
std::string readableText(std::string bytes, std::string_view file);

// Whether the name alone says that a file is a script or a document.
bool namesText(std::string_view file) noexcept;

} // namespace skillhost
