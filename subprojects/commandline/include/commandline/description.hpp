// SPDX-License-Identifier: Apache-2.0
// The command line as data. Parser, help and completion are generated from it, so they always
// agree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::app {

// One option, or one positional argument, whose name has no dashes.
struct ArgumentDescription {
  std::vector<std::string> names; // "--expose"; "-v", "--verbose"; "PATH"; the last is its key
  std::string value;              // kind of its value: "FILE", "DIR", "N", "a|b|c"; empty: none
  std::string help;               // sentences
  std::string group{};            // heading in the help
  bool valueOptional = false;     // then only "--option=value" gives it
  bool repeats = false;           // false: the last one counts
  bool mayBeEmpty = false;        // false: an empty FILE, DIR or PATH is refused
};

// The treatment of server options that stand before the command.
enum class ServerOptions : std::uint8_t { Refused, Ignored, Taken };

struct CommandDescription {
  std::string name;
  std::string help;
  bool inheritsOptions = false; // also takes its parent's options
  std::vector<ArgumentDescription> options{};
  std::vector<ArgumentDescription> positionals{};
  std::vector<CommandDescription> commands{};
  // The program of ours that carries the command out: skillhost-PROGRAM. Empty: skillhost itself,
  // or another author's program with the name of the command.
  std::string program{};
  ServerOptions serverOptions = ServerOptions::Refused;
  // Help and completion list commands by this number, lower ones first. skillhost's own
  // `completion` has a higher number than commands of other authors, which come behind all the rest
  // of ours.
  int position = positionOfOthers;
  // Only a heading for its commands, each of which has its own file and program.
  bool isGroup = false;
  // Options that the command has in other builds, each with the text that follows "unknown option
  // --x".
  std::vector<std::pair<std::string, std::string>> absentOptions{};

  static constexpr int positionOfOthers = 5000;
};

inline constexpr const char *generalOptions = "General options"; // their heading
ArgumentDescription helpOption();
ArgumentDescription jsonOption();

// Returns "a|b" for {"a", "b"} with "|" between them.
std::string joined(const std::vector<std::string> &words, std::string_view between);
// Returns a, b, c for "a|b|c"; empty for any other text.
std::vector<std::string> choicesOf(std::string_view value);
// Returns "Cut it, and say so" for "Cut it, and say so. Default: never."
std::string_view firstSentence(std::string_view text);

} // namespace skillhost::app
