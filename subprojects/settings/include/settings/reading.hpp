// SPDX-License-Identifier: Apache-2.0
// One place that settings are read from (a file, a variable, an option), and the problems found.
#pragma once

#include "settings/environment.hpp"
#include "settings/written.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

struct Reading {
  std::string origin; // a file's path, a variable's name, an option: how messages begin
  std::string folder; // where relative paths begin; absolute
  const Environment &surroundings;
  bool resolveReferences = true; // as in Given; false inside a source that is switched off
  bool hasPaths = true;          // "~/x", "./x" and "../x" are files of this machine
  std::string refusal{};         // why no reference may be looked up; empty: each may
  std::string key{};             // being read, dotted
  std::vector<std::string> problems{};
  std::vector<std::string> secrets{}; // met in config objects
  std::string base{};                 // what `key` is a part of, when it begins below the top
  std::map<std::string, std::string> places{}; // of each key, where it was written
  // Says what to write instead of a key that earlier versions had; empty for every other key.
  std::string_view (*removedKey)(std::string_view key) = nullptr;

  // The value of `key` stands here.
  void note(int line, int column) { places[base + key] = position(line, column); }
  void note(const Written &at) { note(at.line, at.column); }
  std::string position(int line, int column) const {
    return line > 0 ? origin + ':' + std::to_string(line) + ':' + std::to_string(column) : origin;
  }

  // `file:3:5: key: why`.
  void problem(const Written &at, std::string_view why) { problem(at.line, at.column, why); }
  void problem(int line, int column, std::string_view why) {
    std::string text = position(line, column) + ": ";
    if (!key.empty()) text += key + ": ";
    problems.push_back(text.append(why));
  }
};

} // namespace skillhost::app
