// SPDX-License-Identifier: Apache-2.0
// From the skills of every source to one catalogue: who has which name, what is withheld.
#pragma once

#include "skills/catalogue.hpp"
#include "skills/source_skills.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

struct SourceResult {
  std::string name;
  std::shared_ptr<const SourceSkills> skills; // null: nothing known of it yet
  std::string failure;
};

// `sources` in the order of the configuration: the earlier one wins a bare name.
std::shared_ptr<const Catalogue> buildCatalogue(std::uint64_t generation,
                                                const std::vector<SourceResult> &sources);

} // namespace skillhost
