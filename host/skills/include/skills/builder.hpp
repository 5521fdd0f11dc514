// SPDX-License-Identifier: Apache-2.0
// From the skills of every source to one catalogue: who has which name, what is withheld.
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
  std::shared_ptr<const SourceSkills> skills; // null: nothing known of it yet
  std::string failure;
  bool answered = true; // false: its first listing goes on
  bool absent = false;  // it could not be made
  // While the first catalogue of all sources is being made: what a source lists first is there from
  // the start, since the order in which sources answer must decide nothing.
  bool isFirst = false;
  std::chrono::milliseconds took{0};    // by the refresh that ended last
  Fault fault = Fault::OperationFailed; // of the failure
};

// Since when skills that are gone had their names: "id\nname" to the generation. A file that is
// half written, or a source that is away, gives no stranger its name for good.
using GoneNames = std::unordered_map<std::string, std::uint64_t>;

// Until every source has answered it is still the start, but not for one that has: who keeps
// another one waiting takes no name by it. `former` is what the catalogue that is served was made
// of.
void markFirst(std::vector<SourceResult> &sources, const std::vector<SourceResult> &former);

// `sources` in the order of the configuration: the earlier one wins a bare name. `before` is the
// catalogue that is served now, whose skills keep their names against those that are new; null when
// this is the first one. `gone` is read and added to, up to a number.
std::shared_ptr<const Catalogue> buildCatalogue(std::uint64_t generation,
                                                const std::vector<SourceResult> &sources,
                                                const Catalogue *before = nullptr,
                                                GoneNames *gone = nullptr,
                                                NameRule rule = NameRule::First);

} // namespace skillhost
