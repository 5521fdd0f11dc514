// SPDX-License-Identifier: Apache-2.0
// The command line as data. Parser, help and completion are all made from it, so none can drift.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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

// How a program treats options of the server that stand before its command.
enum class ServerOptions : std::uint8_t { Refused, Ignored, Taken };

struct CommandDescription {
  std::string name;
  std::string help;
  bool inheritsOptions = false; // takes its parent's options too
  std::vector<ArgumentDescription> options{};
  std::vector<ArgumentDescription> positionals{};
  std::vector<CommandDescription> commands{};
  // The program of ours that carries it out: skillhost-PROGRAM. Empty: skillhost itself, or the
  // program of somebody else whose name the command has.
  std::string program{};
  ServerOptions serverOptions = ServerOptions::Refused;
  // Help and completion list commands by this number, lower ones first. Completion of skillhost
  // itself has a higher number than commands of others, which come behind all the rest of ours.
  int position = positionOfOthers;
  // Only a heading for its commands, each of which has a file and a program of its own.
  bool isGroup = false;
  // Options that it would have elsewhere, each with what to say of it behind "unknown option --x".
  std::vector<std::pair<std::string, std::string>> absentOptions{};

  static constexpr int positionOfOthers = 5000;
};

inline constexpr const char *generalOptions = "General options"; // their heading
ArgumentDescription helpOption();
ArgumentDescription jsonOption();

// {"a", "b"} with "|" between them → "a|b".
std::string joined(const std::vector<std::string> &words, std::string_view between);
// "a|b|c" → a, b, c; empty for anything else.
std::vector<std::string> choicesOf(std::string_view value);
// "Cut it, and say so. Default: never." → "Cut it, and say so"
std::string_view firstSentence(std::string_view text);

} // namespace skillhost::app
