// SPDX-License-Identifier: Apache-2.0
// Finds characters of a text that are invisible or look like others.
#pragma once

#include "skillmd/finding.hpp"

#include <cstddef>
#include <functional>
#include <string_view>

namespace skillhost {

// Called for each finding with its rule, its severity there, and the position of its byte.
using NoticeHidden = std::function<void(std::string_view rule, Severity severity, std::size_t at)>;

// Ignores emoji flags, joiners and fillers between letters of their scripts, single variation
// selectors, and words of a single script.
void findHiddenCharacters(std::string_view original, const NoticeHidden &notice);

// Returns the ASCII letter that a Cyrillic, Greek or other letter looks like; 0: none.
char looksLike(char32_t letter) noexcept;

} // namespace skillhost
