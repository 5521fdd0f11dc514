// SPDX-License-Identifier: Apache-2.0
// Turns the names that authors write into names that every tool accepts. Wraps utf8proc.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// Returns the name for the tools: `name` itself if it keeps the format's rules, or else its slug,
// which does. A slug is in lower case, without accents, and has one hyphen for each run of other
// characters. A name that is mostly in another script has no slug. Then the folder's name is used,
// and finally a digest of the name. The result depends only on the two texts.
std::string toolNameOf(std::string_view name, std::string_view folderName);

// Returns the form in which names are compared: without surrounding blanks, in Unicode's normal
// form C, with its case folded. Text that is not UTF-8 stays as it is.
std::string foldedName(std::string_view name);

// Returns true if the text is empty or has only white space as Unicode, Python or JavaScript define
// it. Clients refuse a whole listing because of one such text.
bool onlyWhiteSpace(std::string_view text) noexcept;

} // namespace skillhost
