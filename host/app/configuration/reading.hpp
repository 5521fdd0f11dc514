// SPDX-License-Identifier: Apache-2.0
// One place that settings are read from (a file, a variable, an option), and the problems found.
#pragma once

#include "app/surroundings.hpp"
#include "configuration/written.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

struct Reading {
  std::string origin; // a file's path, a variable's name, an option: how messages begin
  std::string folder; // where relative paths begin; absolute
  const Surroundings &surroundings;
  bool resolveReferences = true; // false inside a source that is switched off
  std::string key{};             // being read, dotted
  std::vector<std::string> problems{};
  std::vector<std::string> secrets{}; // met in config objects

  // `file:3:5: key: why`.
  void problem(const Written &at, std::string_view why) { problem(at.line, at.column, why); }
  void problem(int line, int column, std::string_view why) {
    std::string text = origin;
    if (line > 0) text += ':' + std::to_string(line) + ':' + std::to_string(column);
    text += ": ";
    if (!key.empty()) text += key + ": ";
    problems.push_back(text.append(why));
  }
};

} // namespace skillhost::app
