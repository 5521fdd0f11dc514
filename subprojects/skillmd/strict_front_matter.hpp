// SPDX-License-Identifier: Apache-2.0
// Front matter as YAML has it: checked, then read by the quick reader, or else by the complete one.
#pragma once

#include "skillmd/front_matter.hpp"
#include "skillmd/front_matter_block.hpp"

#include <string_view>

namespace skillhost {

// `block` is closed.
FrontMatterResult readStrictly(const FrontMatterBlock &block, std::string_view file);

} // namespace skillhost
