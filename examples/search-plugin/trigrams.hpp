// SPDX-License-Identifier: Apache-2.0
// Trigrams, which are runs of three letters. Two spellings of a word have most of them in common.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

using Trigram = std::uint32_t;

// Returns the trigrams of every word, with two blanks added before the word and one after it, so
// that its beginning counts more. Capital letters of ASCII count as small ones, and all bytes
// beyond ASCII count as letters. The result is sorted and has each trigram once.
std::vector<Trigram> trigramsOf(std::string_view text);

// Returns how many trigrams both lists have. Both must be sorted and have each trigram once, as the
// results of trigramsOf() do.
std::size_t inCommon(const std::vector<Trigram> &left, const std::vector<Trigram> &right) noexcept;
