// SPDX-License-Identifier: Apache-2.0
// Builds one catalogue from the skills of every source: gives out names and withholds skills.
#pragma once

#include "skills/catalogue.hpp"
#include "skills/source_skills.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace skillhost {

struct SourceResult {
  std::string name;
  std::shared_ptr<const SourceSkills> skills; // null: nothing is known of the source yet
  std::string failure;
  bool hasAnswered = true; // false: its first listing still runs
  bool isAbsent = false;   // true: the source could not be made
  // True while the first catalogue of all sources is being made. The skills that a source lists
  // first then count as present from the start, so that the order in which sources answer decides
  // nothing.
  bool isFirst = false;
  std::chrono::milliseconds took{0};    // time of the refresh that ended last
  Fault fault = Fault::OperationFailed; // kind of the failure
};

// Names of skills that are gone: "id\nname", with the generation since when the skill had it. A
// skill gets its name back when a half-written file or a source that was away returns, so no
// stranger takes the name for good.
using GoneNames = std::unordered_map<std::string, std::uint64_t>;

// Marks the sources that have not answered before. The start lasts until every source has answered,
// but a source that has answered is past it, so it takes no name by keeping another one waiting.
// `former` is what the served catalogue was made of.
void markFirst(std::vector<SourceResult> &sources, const std::vector<SourceResult> &former);

// `sources` are in the order of the configuration: the earlier one wins a bare name. `before` is
// the served catalogue, whose skills keep their names against new ones; null for the first
// catalogue. `gone` is read, and extended up to a limit.
std::shared_ptr<const Catalogue> buildCatalogue(std::uint64_t generation,
                                                const std::vector<SourceResult> &sources,
                                                const Catalogue *before = nullptr,
                                                GoneNames *gone = nullptr,
                                                NameRule rule = NameRule::First);

} // namespace skillhost
