// SPDX-License-Identifier: Apache-2.0
// Reads front matter strictly as YAML: checks it, then uses the quick reader, or else the complete
// one.
#pragma once

#include "skillmd/front_matter.hpp"
#include "skillmd/front_matter_block.hpp"

#include <string_view>

namespace skillhost {

// `block` must be closed.
FrontMatterResult readStrictly(const FrontMatterBlock &block, std::string_view file);

} // namespace skillhost
