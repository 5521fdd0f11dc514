// SPDX-License-Identifier: Apache-2.0
// What is wrong with a setting of an instance, for whoever knows where it was written.
#pragma once

#include <string>
#include <vector>

namespace skillhost {

struct SettingProblem {
  std::string setting; // "plugin", or a path such as "config.directories[0]"
  std::string why;     // what is wrong and what to write
  // When a word is not known: the word, and those that are. `why` does not list them.
  std::string word{};
  std::vector<std::string> known{};
};
using SettingProblems = std::vector<SettingProblem>;

// All of them in one line, for who knows no better place: "config.url: ...; config.ref: ...".
std::string render(const SettingProblems &problems);

} // namespace skillhost
