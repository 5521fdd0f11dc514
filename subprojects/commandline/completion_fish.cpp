// SPDX-License-Identifier: Apache-2.0
#include "commandline/completion.hpp"

namespace skillhost::app {
namespace {

std::string fishQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out += '\'';
}

// Returns the flags of `complete` for one kind of value.
std::string fishAction(const std::string &value) {
  if (value.empty()) return "";
  if (const auto choices = choicesOf(value); !choices.empty())
    return " -x -a " + fishQuoted(joined(choices, " "));
  if (value == "DIR") return " -x -a '(__fish_complete_directories)'";
  if (value == "FILE" || value == "PATH") return " -r -F";
  return " -x";
}

// Returns the place of a command: "/" for the program, /skill/info for `skillhost skill info`.
std::string below(const std::string &place, const CommandDescription &command) {
  return (place == "/" ? place : place + '/') + command.name;
}

void appendLine(std::string &out, const std::string &condition, const std::string &rest,
                std::string_view help) {
  out += "complete -c skillhost -n " + fishQuoted(condition) + rest;
  if (!help.empty()) out += " -d " + fishQuoted(firstSentence(help));
  out += '\n';
}

// Adds the place of the command, and of those below it that take its options.
void collectPlaces(const CommandDescription &command, const std::string &place,
                   std::vector<std::string> &places) {
  places.push_back(place);
  for (const CommandDescription &one : command.commands)
    if (one.inheritsOptions) collectPlaces(one, below(place, one), places);
}

void appendOptions(std::string &out, const CommandDescription &command, const std::string &place) {
  std::vector<std::string> places;
  collectPlaces(command, place, places);
  const std::string condition = "__skillhost_at " + joined(places, " ");
  for (const ArgumentDescription &option : command.options) {
    std::string spelled;
    for (const std::string &name : option.names)
      spelled += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    appendLine(out, condition, spelled + fishAction(option.value), option.help);
  }
}

// Adds the command and those below it. `places` gets the place of each command below it.
void appendCommand(std::string &out, const CommandDescription &command, const std::string &place,
                   std::string &places) {
  const std::string condition = "__skillhost_at " + place;
  appendOptions(out, command, place);
  for (const CommandDescription &one : command.commands) {
    appendLine(out, condition, " -a " + one.name, one.help);
    places += ' ' + below(place, one);
    appendCommand(out, one, below(place, one), places);
  }
  for (const ArgumentDescription &positional : command.positionals) {
    const auto choices = choicesOf(positional.value);
    if (!choices.empty())
      appendLine(out, condition, " -a " + fishQuoted(joined(choices, " ")), positional.help);
    else if (positional.value == "PATH")
      appendLine(out, condition, " -F", positional.help);
  }
}

} // namespace

std::string fishCompletion(const CommandDescription &program) {
  std::string lines, places;
  appendCommand(lines, program, "/", places);
  return "# fish completion for skillhost. Load it with: skillhost completion fish | source\n"
         "# True if the words before the cursor lead to one of these commands, such as "
         "/skill/info.\n"
         "function __skillhost_at\n"
         "    set -l place /\n"
         "    for word in (commandline -opc)[2..-1]\n"
         "        switch (string replace // / $place/$word)\n"
         "            case" +
         places +
         "\n"
         "                set place (string replace // / $place/$word)\n"
         "        end\n"
         "    end\n"
         "    contains -- $place $argv\n"
         "end\n"
         "complete -c skillhost -f\n" +
         lines;
}

} // namespace skillhost::app
