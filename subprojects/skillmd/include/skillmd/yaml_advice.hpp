// SPDX-License-Identifier: Apache-2.0
// From what yaml-cpp says about broken YAML to a finding its author can act on.
#pragma once

#include "skillmd/finding.hpp"
#include "skillmd/front_matter_block.hpp"

#include <cstddef>
#include <string_view>

namespace skillhost {

// The finding for the problem `message` at byte `at` of block.yaml, with the corrected line where
// it can be guessed.
Finding adviseOnYaml(const FrontMatterBlock &block, std::string_view file, std::size_t at,
                     std::string_view message);

// An error at byte `at` of block.yaml.
Finding yamlError(const FrontMatterBlock &block, std::string_view file, std::size_t at,
                  std::string_view code, std::string_view message, std::string_view advice);

} // namespace skillhost
