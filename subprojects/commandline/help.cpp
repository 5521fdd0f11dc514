// SPDX-License-Identifier: Apache-2.0
#include "commandline/help.hpp"

#include <algorithm>

namespace skillhost::app {
namespace {

constexpr std::size_t width = 96;
constexpr std::size_t column = 28; // column of explanations

constexpr std::string_view examples = R"(
Examples:
  skillhost --skills-dir ~/.claude/skills        serve one folder on stdin and stdout
  skillhost --config team.yaml --expose both     serve what a file names
  skillhost search "fill in a PDF form"          ask the catalogue without a client
  skillhost validate ./skills --strict           check skills before publishing them
  skillhost check ./hello.so                     see whether a plugin keeps its promises
  skillhost client-config vscode --skills-dir .  print what to paste into a client
  source <(skillhost completion bash)            complete commands and options

Exit codes:
  0  done    1  wrong command line, configuration, skill or plugin
  2  the authorization provider is unreachable or refuses at start
  3  sync: nothing failed, but a folder differs from its source
)";

// Breaks `text` into lines of at most `width`, and indents those after the first to `column`.
std::string wrapped(std::string_view text) {
  std::string out;
  const std::size_t room = width - column;
  while (text.size() > room) {
    std::size_t cut = text.rfind(' ', room);
    if (cut == std::string_view::npos) cut = room;
    out.append(text.substr(0, cut)).append("\n").append(column, ' ');
    text.remove_prefix(std::min(text.size(), cut + 1));
  }
  return out.append(text);
}

void appendEntry(std::string &out, const std::string &left, std::string_view right) {
  out += "  " + left;
  if (left.size() + 4 > column)
    out.append("\n").append(column, ' ');
  else
    out.append(column - left.size() - 2, ' ');
  out += wrapped(right) + '\n';
}

std::string signature(const ArgumentDescription &option) {
  std::string out = joined(option.names, ", ");
  if (option.value.empty()) return out;
  return out + (option.valueOptional ? "[=" + option.value + "]" : " " + option.value) +
         (option.repeats ? " ..." : "");
}

void appendOptions(std::string &out, const CommandDescription &command) {
  std::vector<std::string> groups;
  for (const ArgumentDescription &option : command.options)
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end())
      groups.push_back(option.group);
  for (const std::string &group : groups) {
    out += '\n' + group + ":\n";
    for (const ArgumentDescription &option : command.options)
      if (option.group == group) appendEntry(out, signature(option), option.help);
  }
}

} // namespace

std::string helpText(std::span<const CommandDescription *const> path) {
  const CommandDescription &command = *path.back();
  std::string name;
  for (const CommandDescription *step : path) name += (name.empty() ? "" : " ") + step->name;
  std::string out = command.help + "\n\nUsage: " + name;
  if (path.size() == 1) out += " [serve]";
  if (!command.options.empty() || command.inheritsOptions) out += " [OPTIONS]";
  for (const ArgumentDescription &positional : command.positionals)
    out += ' ' + positional.names.front() + (positional.repeats ? "..." : "");
  if (!command.commands.empty())
    out += path.size() == 1 ? "\n       " + name + " COMMAND [OPTIONS]" : " COMMAND";
  out += '\n';
  if (!command.positionals.empty()) out += "\nArguments:\n";
  for (const ArgumentDescription &positional : command.positionals)
    appendEntry(out,
                positional.names.front() +
                    (choicesOf(positional.value).empty() ? "" : " " + positional.value),
                positional.help);
  if (!command.commands.empty()) out += "\nCommands:\n";
  for (const CommandDescription &one : command.commands) appendEntry(out, one.name, one.help);
  appendOptions(out, command);
  if (command.inheritsOptions)
    out += "\nThe options of `" + path.front()->name + " --help` are accepted as well.\n";
  return path.size() == 1 ? out.append(examples) : out;
}

std::string helpText(const CommandDescription &program, const std::vector<std::string> &commands) {
  std::vector<const CommandDescription *> path{&program};
  for (const std::string &name : commands)
    for (const CommandDescription &one : path.back()->commands)
      if (one.name == name) {
        path.push_back(&one);
        break;
      }
  return helpText(path);
}

} // namespace skillhost::app
