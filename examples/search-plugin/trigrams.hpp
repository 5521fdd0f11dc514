// SPDX-License-Identifier: Apache-2.0
// Runs of three letters: two spellings of a word have most of them in common.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

using Trigram = std::uint32_t;

// Of every word, with two blanks before it and one behind, so that its beginning counts more.
// Capital letters of ASCII are small ones; all bytes beyond ASCII are letters. Sorted, each once.
std::vector<Trigram> trigramsOf(std::string_view text);

// How many of the one are in the other; both as trigramsOf() gives them.
std::size_t inCommon(const std::vector<Trigram> &left, const std::vector<Trigram> &right) noexcept;
