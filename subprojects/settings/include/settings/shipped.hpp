// SPDX-License-Identifier: Apache-2.0
// The keys and options of all features that we ship. A build that lacks a feature names it to users
// of its keys.
#pragma once

#include "ground/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::settings {

struct ShippedFeature {
  std::string folder;                     // "plugins/filters/lock"
  std::vector<std::string> keys, options; // "locked"; "--locked"
};

// Reads an object with a member for each feature, whose name is the feature's folder.
Result<std::vector<ShippedFeature>> readShipped(std::string_view index);

// Returns such an object with all features that we ship. A source that gather-settings has written
// defines it.
std::string_view shipped() noexcept;

} // namespace skillhost::settings
