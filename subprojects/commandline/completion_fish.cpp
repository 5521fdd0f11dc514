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

std::string words(const std::vector<std::string> &list) {
  std::string out;
  for (const std::string &word : list) out += (out.empty() ? "" : " ") + word;
  return out;
}

// The flags of `complete` for one kind of value.
std::string fishAction(const std::string &value) {
  if (value.empty()) return "";
  if (const auto choices = choicesOf(value); !choices.empty())
    return " -x -a " + fishQuoted(words(choices));
  if (value == "DIR") return " -x -a '(__fish_complete_directories)'";
  if (value == "FILE" || value == "PATH") return " -r -F";
  return " -x";
}

void appendLine(std::string &out, const std::string &condition, const std::string &rest,
                std::string_view help) {
  out += "complete -c skillhost -n " + fishQuoted(condition) + rest;
  if (!help.empty()) out += " -d " + fishQuoted(firstSentence(help));
  out += '\n';
}

void appendOptions(std::string &out, const CommandDescription &command,
                   const std::string &condition) {
  for (const ArgumentDescription &option : command.options) {
    std::string spelled;
    for (const std::string &name : option.names)
      spelled += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    appendLine(out, condition, spelled + fishAction(option.value), option.help);
  }
}

// `seen` is true where `command` is the one being written, `open` where one of its commands may
// follow.
void appendCommand(std::string &out, const CommandDescription &command, const std::string &seen) {
  std::vector<std::string> names;
  names.reserve(command.commands.size());
  for (const CommandDescription &one : command.commands) names.push_back(one.name);
  const std::string open = seen + "; and not __fish_seen_subcommand_from " + words(names);
  for (const CommandDescription &one : command.commands) {
    appendLine(out, open, " -a " + one.name, one.help);
    const std::string deeper = seen + "; and __fish_seen_subcommand_from " + one.name;
    appendOptions(out, one, deeper);
    appendCommand(out, one, deeper);
  }
  for (const ArgumentDescription &positional : command.positionals) {
    const auto choices = choicesOf(positional.value);
    if (!choices.empty())
      appendLine(out, seen, " -a " + fishQuoted(words(choices)), positional.help);
    else if (positional.value == "PATH")
      appendLine(out, seen, " -F", positional.help);
  }
}

} // namespace

std::string fishCompletion(const CommandDescription &program) {
  std::string out = "# fish completion for skillhost. Load it with: skillhost completion fish | "
                    "source\ncomplete -c skillhost -f\n";
  std::vector<std::string> alone;
  for (const CommandDescription &one : program.commands)
    if (!one.inheritsOptions) alone.push_back(one.name);
  appendOptions(out, program, "not __fish_seen_subcommand_from " + words(alone));
  appendCommand(out, program, "true");
  return out;
}

} // namespace skillhost::app
