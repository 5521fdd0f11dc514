// SPDX-License-Identifier: Apache-2.0
// The command line as data. Parser, help and completion are all made from it, so none can drift.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

// One option, or one positional argument, which has no dashes in its name.
struct ArgumentDescription {
  std::vector<std::string> names; // "--expose"; "-v", "--verbose"; "PATH"; the last one is its key
  std::string value;              // what it takes: "FILE", "DIR", "N", "a|b|c"; empty: nothing
  std::string help;               // sentences
  std::string group{};            // heading in the help
  bool valueOptional = false;     // only by "--option=value", then
  bool repeats = false;           // otherwise the last one counts
};

struct CommandDescription {
  std::string name;
  std::string help;
  bool inheritsOptions = false; // takes its parent's options too
  std::vector<ArgumentDescription> options{};
  std::vector<ArgumentDescription> positionals{};
  std::vector<CommandDescription> commands{};
  // What carries it out: skillhost-PROGRAM, executed in this one's place. Empty: skillhost itself.
  std::string program{};
};

inline constexpr const char *generalOptions = "General options"; // their heading
ArgumentDescription helpOption();
ArgumentDescription jsonOption();

// "a|b|c" → a, b, c; empty for anything else.
std::vector<std::string> choicesOf(std::string_view value);
// "Cut it, and say so. Default: never." → "Cut it, and say so"
std::string_view firstSentence(std::string_view text);

} // namespace skillhost::app
