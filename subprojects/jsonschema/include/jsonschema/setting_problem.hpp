// SPDX-License-Identifier: Apache-2.0
// A fault in a setting of an instance, for code that knows where the setting was written.
#pragma once

#include <string>
#include <vector>

namespace skillhost {

struct SettingProblem {
  std::string setting; // "plugin", or a path such as "config.directories[0]"
  std::string why;     // what is wrong and what to write
  // If a word is unknown: that word, and the known ones. `why` does not list them.
  std::string word{};
  std::vector<std::string> known{};
};
using SettingProblems = std::vector<SettingProblem>;

// Returns all of them in one line, for callers that know no better place: "config.url: ...;
// config.ref: ...".
std::string render(const SettingProblems &problems);

} // namespace skillhost
