// SPDX-License-Identifier: Apache-2.0
// Summarises many skills in few bytes, for a tool's description and for a list.
#pragma once

#include "skills/catalogue.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

// The most skills that are named one by one in a description. With more, a search serves a model
// better.
inline constexpr std::size_t maxNamedSkills = 300;

// Returns at most `bytes` of a text. A longer one is cut between words, and ends in "…".
std::string cutBetweenWords(std::string_view text, std::size_t bytes);

// Returns the text with one blank in place of each run of blanks, tabs and line ends, those of
// Unicode included: an author cannot write a line of a list for models. It ends early, with the
// word that makes it `enough` bytes long or longer.
std::string oneLine(std::string_view text, std::size_t enough = std::string_view::npos);

// Returns the first sentence of a text, in one line, cut in the same way.
std::string firstSentence(std::string_view text, std::size_t bytes);

// Returns the name that tools take, with the author's name behind it if that is in another script,
// so that a model can understand it: "skill-7dc3072132b8 (中文技能)".
std::string nameForModels(const CatalogueEntry &entry);

// Returns the catalogue for a tool's description, at most `bytes` long: the whole descriptions if
// there is room, else the first sentences of each, cut to the same width so that a long description
// takes no other skill's room; else names; and for more than `maxNamedSkills` skills the sources.
std::string shortCatalogue(const Catalogue &catalogue, std::size_t bytes);

// Returns "team (120), hr (3)": the sources of the skills that tools serve, the largest first. Of
// the sources without room it only gives the number.
std::string sourceCounts(const Catalogue &catalogue, std::size_t bytes);

} // namespace skillhost
