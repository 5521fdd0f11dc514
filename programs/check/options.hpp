// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

// The settings of `skillhost check` and `skillhost try`.
struct CheckSettings {
  std::string file;              // absolute
  std::string configurationFile; // absolute; empty: none
  std::vector<std::string> only; // check: names of checks
  std::string operation;         // for try
  std::vector<std::string> arguments;
  std::string skills;                 // absolute folder; empty: none
  std::string resource;               // try validate: a URI; empty: none
  std::uint32_t deadlineMs = 10'000;  // for each check, or for the operation
  bool json = false;                  // for check
  bool trusted = false;               // confine nothing
  std::vector<std::string> allowRead; // absolute paths
};

Result<CheckSettings> readCheckSettings(const app::ParsedArguments &arguments,
                                        const app::Surroundings &surroundings);
Result<CheckSettings> readTrySettings(const app::ParsedArguments &arguments,
                                      const app::Surroundings &surroundings);

} // namespace skillhost
