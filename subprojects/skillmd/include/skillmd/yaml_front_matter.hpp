// SPDX-License-Identifier: Apache-2.0
// Reads any front matter with yaml-cpp's events: completely, but slowly (about 140 ns a byte).
#pragma once

#include "skillmd/front_matter.hpp"
#include "skillmd/front_matter_block.hpp"

#include <string_view>

namespace skillhost {

// `block` must be closed, valid UTF-8 and free of control characters. Keeps the promises of
// parseFrontMatter.
FrontMatterResult readYaml(const FrontMatterBlock &block, std::string_view file);

} // namespace skillhost
