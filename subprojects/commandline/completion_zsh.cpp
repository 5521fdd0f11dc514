// SPDX-License-Identifier: Apache-2.0
#include "commandline/completion.hpp"

namespace skillhost::app {
namespace {

std::string zshAction(const std::string &value) {
  const std::vector<std::string> choices = choicesOf(value);
  if (!choices.empty()) {
    std::string words = "compadd --";
    for (const std::string &choice : choices) words += ' ' + choice;
    return words;
  }
  if (value == "DIR") return "_files -/";
  if (value == "FILE" || value == "PATH") return "_files";
  return ":";
}

// 'name:what it does' as _describe reads it.
std::string described(const std::string &name, std::string_view help) {
  std::string out = "'" + name + ':';
  for (const char c : firstSentence(help)) {
    if (c == ':') out += '\\';
    if (c == '\'') out += "'\\'";
    out += c;
  }
  return out += "' ";
}

// The arms of the script's case statements.
struct ZshCases {
  std::string steps;
  std::string words;
  std::string values;
  std::string takes;
};

void collectOption(const ArgumentDescription &option, ZshCases &cases) {
  if (option.value.empty()) return;
  std::string pattern;
  for (const std::string &name : option.names) pattern += (pattern.empty() ? "" : "|") + name;
  const std::string line = "    (" + pattern + ") " + zshAction(option.value) + "; return ;;\n";
  // An option that a command shares with its parent is met twice.
  if (cases.values.find(line) != std::string::npos) return;
  cases.values += line;
  if (!option.valueOptional) cases.takes += (cases.takes.empty() ? "" : "|") + pattern;
}

void collectForZsh(const CommandDescription &command, const std::string &chain,
                   const std::string &inherited, ZshCases &cases) {
  std::string options;
  for (const ArgumentDescription &option : command.options) {
    collectOption(option, cases);
    for (const std::string &name : option.names) options += described(name, option.help);
  }
  if (command.inheritsOptions) options += inherited;
  std::string commands;
  for (const CommandDescription &one : command.commands) {
    const std::string next = chain + ' ' + one.name;
    commands += described(one.name, one.help);
    cases.steps += "      ('" + next + "') chain='" + next + "' ;;\n";
    collectForZsh(one, next, options, cases);
  }
  cases.words += "    ('" + chain + "')\n      if [[ $PREFIX == -* ]]; then list=(" + options +
                 "); _describe -o option list\n      else ";
  if (!commands.empty())
    cases.words += "list=(" + commands + "); _describe command list";
  else
    cases.words += command.positionals.empty() ? ":" : zshAction(command.positionals.front().value);
  cases.words += "; fi ;;\n";
}

} // namespace

std::string zshCompletion(const CommandDescription &program) {
  ZshCases cases;
  collectForZsh(program, "", "", cases);
  return "#compdef skillhost\n"
         "# zsh completion for skillhost. Load it with: source <(skillhost completion zsh)\n"
         "_skillhost() {\n"
         "  local previous=$words[CURRENT-1] chain='' i\n"
         "  local -a list\n"
         "  for ((i = 2; i < CURRENT; i++)); do\n"
         "    case $words[i] in\n"
         "      (" +
         cases.takes +
         ") ((i++)); continue ;;\n"
         "    esac\n"
         "    case \"$chain $words[i]\" in\n" +
         cases.steps +
         "    esac\n  done\n"
         "  if [[ $PREFIX == --*=* ]]; then\n"
         "    previous=${PREFIX%%=*}\n"
         "    compset -P '*='\n"
         "  fi\n"
         "  case $previous in\n" +
         cases.values + "  esac\n  case $chain in\n" + cases.words +
         "  esac\n}\ncompdef _skillhost skillhost\n";
}

} // namespace skillhost::app
