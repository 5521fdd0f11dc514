// SPDX-License-Identifier: Apache-2.0
// Turns yaml-cpp's complaint about broken YAML into a finding that the author can use.
#pragma once

#include "skillmd/finding.hpp"
#include "skillmd/front_matter_block.hpp"

#include <cstddef>
#include <string_view>

namespace skillhost {

// Returns the finding for the problem `message` at byte `at` of block.yaml, with the corrected line
// if it can be guessed.
Finding adviseOnYaml(const FrontMatterBlock &block, std::string_view file, std::size_t at,
                     std::string_view message);

// Returns an error at byte `at` of block.yaml.
Finding yamlError(const FrontMatterBlock &block, std::string_view file, std::size_t at,
                  std::string_view code, std::string_view message, std::string_view advice);

} // namespace skillhost
