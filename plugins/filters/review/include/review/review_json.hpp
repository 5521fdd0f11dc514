// SPDX-License-Identifier: Apache-2.0
// Reviews and differences as JSON, for the command line with --json, the tool and the resource.
#pragma once

#include "ground/json.hpp"
#include "review/passed_over.hpp"
#include "review/reviews.hpp"

#include <cstddef>
#include <string>

namespace skillhost {

// Contains at most `maxFindings` of the findings, and their number. `decision` is null if there is
// none.
Json reviewJson(const Review &review, const Decision *decision,
                std::size_t maxFindings = std::string::npos);
Json differenceJson(const SkillDifference &difference);
// Returns {names, complete} of what lies in the folder of the skill and was not reviewed.
Json passedOverJson(const PassedOver &found);
// Counts the skills by state and by action. Lists the skills that are not simply served, from
// `offset` on and at most `limit`, each with its first findings only.
Json reviewsJson(const Reviews &reviews, std::size_t offset, std::size_t limit);

// Returns true if the skill is withheld.
bool isHeldBack(const Review &review) noexcept;
// Counts the withheld skills of one source, or of all.
std::size_t countWithheld(const Reviews &reviews, std::string_view source = {});
// Returns true if somebody has to decide on the skill: it is withheld, or served with a warning.
bool wantsDecision(const Review &review) noexcept;

// Describes a file on one line for people: its path, the kind of change, and whether it is
// executable.
std::string titleOf(const FileDifference &file);
// Returns the kind of a change for people: "new", "gone" or "changed".
std::string_view wordOf(char kind) noexcept;

} // namespace skillhost
