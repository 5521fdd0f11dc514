// SPDX-License-Identifier: Apache-2.0
// Makes a catalogue of the skills of all sources: gives each its name, and leaves out those that
// may not be served.
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

// Remembers the names of skills that were removed: by "id\nname", the generation since which the
// skill had the name. If such a skill returns, because its file was only half written or its source
// was unreachable, it gets its name back, even if another skill has taken the name meanwhile.
using GoneNames = std::unordered_map<std::string, std::uint64_t>;

// Sets `isFirst` of the sources that answer for the first time. `former` are the results of which
// the served catalogue was made. A source that has answered before is not marked, even while others
// have not answered yet: otherwise it could take their names by delaying them.
void markFirst(std::vector<SourceResult> &sources, const std::vector<SourceResult> &former);

// Makes the catalogue. `sources` are in the order of the configuration, which decides names, see
// claimsBefore(). `before` is the served catalogue, whose skills keep their names; null for the
// first catalogue. Names of skills that `before` has and the result lacks are added to `gone`, up
// to a limit.
std::shared_ptr<const Catalogue> buildCatalogue(std::uint64_t generation,
                                                const std::vector<SourceResult> &sources,
                                                const Catalogue *before = nullptr,
                                                GoneNames *gone = nullptr,
                                                NameRule rule = NameRule::First);

} // namespace skillhost
