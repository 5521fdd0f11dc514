// SPDX-License-Identifier: Apache-2.0
// Reviews and differences as programs read them: the command line with --json, the tool and the
// resource.
#pragma once

#include "ground/json.hpp"
#include "review/passed_over.hpp"
#include "review/reviews.hpp"

#include <cstddef>
#include <string>

namespace skillhost {

// With at most `mostFindings` of its findings, and their number. `decision`: null when there is
// none.
Json reviewJson(const Review &review, const Decision *decision,
                std::size_t mostFindings = std::string::npos);
Json differenceJson(const SkillDifference &difference);
// Returns {names, complete} of what lies in the folder of the skill and was not reviewed.
Json passedOverJson(const PassedOver &found);
// How many skills there are in each state and with each outcome, and of those that are not simply
// served the ones from `offset` on, at most `most`, each with its first findings alone.
Json reviewsJson(const Reviews &reviews, std::size_t offset, std::size_t most);

// Whether it is withheld. Of one source, or of all: how many are.
bool isHeldBack(const Review &review) noexcept;
std::size_t heldBack(const Reviews &reviews, std::string_view source = {});
// Whether somebody is to look at it: it is withheld, or served with a warning.
bool wantsDecision(const Review &review) noexcept;

// For people: the file's path, on one line, what kind of change it is, and whether it is
// executable.
std::string titleOf(const FileDifference &file);
// For people: what kind of change a difference is: "new", "gone", "changed".
std::string_view wordOf(char kind) noexcept;

} // namespace skillhost
