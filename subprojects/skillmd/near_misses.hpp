// SPDX-License-Identifier: Apache-2.0
// Front matter that is almost right: what its author meant, and what to write.
#pragma once

#include "skillmd/finding.hpp"
#include "skillmd/front_matter.hpp"
#include "skillmd/front_matter_block.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct MeantFields {
  std::string yaml;
  std::vector<Finding> findings; // an error for each kind of mistake; empty: `yaml` is as it was
};

// Front matter that YAML refuses, with its top-level fields as they were meant: `**name**: x`, a
// no-break space or a full-width colon behind a key, several fields on the line of the name.
MeantFields fieldsAsMeant(const FrontMatterBlock &block, std::string_view yaml,
                          std::string_view file);

// Why there is no front matter, where the document begins with something that was meant as one.
std::optional<Finding> meantAsFrontMatter(std::string_view document, std::string_view file);

// Where ` #` cuts off a value that YAML takes: adds a warning for each, and by the lenient rules
// the whole text of the description to `matter`.
void noteCutValues(const FrontMatterBlock &block, std::string_view file, Strictness strictness,
                   FrontMatter &matter, std::vector<Finding> &findings);

} // namespace skillhost
