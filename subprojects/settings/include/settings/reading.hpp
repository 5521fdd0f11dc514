// SPDX-License-Identifier: Apache-2.0
// The state of reading settings from one place (a file, a variable, an option), with the problems
// found.
#pragma once

#include "settings/environment.hpp"
#include "settings/written.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::settings {

struct Reading {
  std::string origin; // name in messages: a file's path, a variable's name or an option
  std::string folder; // the folder in which relative paths begin; absolute
  const Environment &surroundings;
  // False: references stay as they are, and their targets need not exist.
  bool resolveReferences = true;
  bool hasPaths = true;  // true: "~/x", "./x" and "../x" are files of this machine
  std::string refusal{}; // the reason why references may not be resolved; empty: they may
  std::string key{};     // the key that is being read: "limits.max_depth"
  std::vector<std::string> problems{};
  std::vector<std::string> secrets{}; // secrets that were found
  // The key that an option or a variable sets, such as "sources"; `key` then begins below it:
  // "[0]".
  std::string base{};
  std::map<std::string, std::string> places{}; // the place of each key in the text
  // Says what to write instead of a key that earlier versions had; empty for every other key.
  std::string_view (*removedKey)(std::string_view key) = nullptr;

  // Records the place of the value of `key` in `places`.
  void note(int line, int column) { places[base + key] = position(line, column); }
  void note(const Written &at) { note(at.line, at.column); }
  std::string position(int line, int column) const {
    return line > 0 ? origin + ':' + std::to_string(line) + ':' + std::to_string(column) : origin;
  }

  // Adds a problem as `file:3:5: key: why`.
  void problem(const Written &at, std::string_view why) { problem(at.line, at.column, why); }
  void problem(int line, int column, std::string_view why) {
    std::string text = position(line, column) + ": ";
    if (!key.empty()) text += key + ": ";
    problems.push_back(text.append(why));
  }
};

} // namespace skillhost::settings
