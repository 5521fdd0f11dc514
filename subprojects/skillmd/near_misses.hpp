// SPDX-License-Identifier: Apache-2.0
// Recognises front matter that is almost right, and says what its author meant and what to write.
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
  std::vector<Finding> findings; // an error for each kind of mistake; empty: `yaml` is unchanged
};

// Corrects the top-level fields of front matter that YAML refuses: `**name**: x`, a no-break space
// or a full-width colon behind a key, several fields on the line of the name.
MeantFields fieldsAsMeant(const FrontMatterBlock &block, std::string_view yaml,
                          std::string_view file);

// Returns the reason why there is no front matter, if the document begins with text that was meant
// as front matter.
std::optional<Finding> meantAsFrontMatter(std::string_view document, std::string_view file);

// Adds a warning for each value that YAML cuts off at ` #`. By the lenient rules, it also adds the
// whole text of the description to `matter`.
void noteCutValues(const FrontMatterBlock &block, std::string_view file, Strictness strictness,
                   FrontMatter &matter, std::vector<Finding> &findings);

} // namespace skillhost
