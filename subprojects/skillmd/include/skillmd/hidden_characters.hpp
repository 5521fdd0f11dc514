// SPDX-License-Identifier: Apache-2.0
// Characters of a text that nobody sees, or sees as others.
#pragma once

#include "skillmd/finding.hpp"

#include <cstddef>
#include <functional>
#include <string_view>

namespace skillhost {

// Told of each: the rule, how much it weighs there, and the byte where it stands.
using NoticeHidden = std::function<void(std::string_view rule, Severity severity, std::size_t at)>;

// Emoji flags, joiners and fillers between letters of their scripts, single variation selectors and
// words all of one script are left alone.
void findHiddenCharacters(std::string_view original, const NoticeHidden &notice);

// The ASCII letter that one of Cyrillic, Greek or another script looks like; 0: none.
char looksLike(char32_t letter) noexcept;

} // namespace skillhost
