// SPDX-License-Identifier: Apache-2.0
// Many skills in few bytes: what a tool's description and a list say of all of them at once.
#pragma once

#include "skills/catalogue.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

// So many skills and no more are named one by one without being asked for: above it a model is
// better served by a search.
inline constexpr std::size_t mostNamed = 300;

// At most `bytes` of a text. A longer one is cut between words, and ends in "…".
std::string cutBetweenWords(std::string_view text, std::size_t bytes);

// The text with one blank in place of each run of blanks, tabs and line ends. It ends early with
// the word that makes it `enough` bytes long or longer.
std::string oneLine(std::string_view text, std::size_t enough = std::string_view::npos);

// The first sentence of a text, in one line, cut in the same way.
std::string firstSentence(std::string_view text, std::size_t bytes);

// The name that tools take, and behind it the author's where that is in another script, so that a
// model can tell what it means: "skill-7dc3072132b8 (中文技能)".
std::string nameForModels(const CatalogueEntry &entry);

// The catalogue that goes into a tool's description, at most `bytes` long: the whole descriptions
// when there is room, else the first sentence of each, cut where it must be, so that no skill goes
// without a word because another one has many; else names; of more than `mostNamed` the sources.
std::string shortCatalogue(const Catalogue &catalogue, std::size_t bytes);

// "team (120), hr (3)": the sources of the skills that tools serve, the largest first; of those
// that have no room only how many there are.
std::string sourceCounts(const Catalogue &catalogue, std::size_t bytes);

} // namespace skillhost
