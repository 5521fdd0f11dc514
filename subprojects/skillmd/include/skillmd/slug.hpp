// SPDX-License-Identifier: Apache-2.0
// Names as their authors wrote them, made into ones that every tool can take. Wraps utf8proc.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// The name for the tools: `name` itself where it keeps the format's rules; else its slug, which
// does: lower-case, without accents, with one hyphen for each run of other characters. A name that
// is mostly of another script gives none, so the folder's is taken, and at last a digest of the
// name. The same for the same two texts.
std::string toolNameOf(std::string_view name, std::string_view folderName);

// The form by which written names are compared: without blanks around it, in Unicode's normal form
// C, its case folded. Text that is no UTF-8 is only compared as it is.
std::string foldedName(std::string_view name);

// Whether there is nothing to read: empty, or only white space of Unicode, to which Python's and
// JavaScript's trimming belong too. Clients refuse a whole listing because of one such text.
bool onlyWhiteSpace(std::string_view text) noexcept;

} // namespace skillhost
