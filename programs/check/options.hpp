// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

// What `skillhost check` and `skillhost try` were told.
struct CheckSettings {
  std::string file;              // absolute
  std::string configurationFile; // absolute; empty: none
  std::vector<std::string> only; // of check: names of checks
  std::string operation;         // of try
  std::vector<std::string> arguments;
  std::string skills;                 // absolute folder; empty: none
  std::string resource;               // of try validate: a URI; empty: none
  std::uint32_t deadlineMs = 10'000;  // of each check, or of the operation
  bool json = false;                  // of check
  bool trusted = false;               // confine nothing
  std::vector<std::string> allowRead; // absolute paths
};

Result<CheckSettings> readCheckSettings(const app::ParsedArguments &given,
                                        const app::Surroundings &surroundings);
Result<CheckSettings> readTrySettings(const app::ParsedArguments &given,
                                      const app::Surroundings &surroundings);

} // namespace skillhost
