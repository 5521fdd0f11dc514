// SPDX-License-Identifier: Apache-2.0
// Makes names for sources that were given without one.
#pragma once

#include "app/configuration.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

// Makes the last part of `path` a valid name that no source in `taken` has: "My Skills" becomes
// "my-skills", and the next one "my-skills-2".
std::string nameForPath(std::string_view path, const std::vector<SourceConfiguration> &taken);

} // namespace skillhost::app
