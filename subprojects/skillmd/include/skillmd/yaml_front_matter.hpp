// SPDX-License-Identifier: Apache-2.0
// Any front matter, read by yaml-cpp's events: complete, and slow (some 140 ns a byte).
#pragma once

#include "skillmd/front_matter.hpp"
#include "skillmd/front_matter_block.hpp"

#include <string_view>

namespace skillhost {

// `block` is closed, valid UTF-8 and without control characters. Promises what parseFrontMatter
// does.
FrontMatterResult readYaml(const FrontMatterBlock &block, std::string_view file);

} // namespace skillhost
