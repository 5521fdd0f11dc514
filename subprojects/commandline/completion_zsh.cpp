// SPDX-License-Identifier: Apache-2.0
#include "commandline/completion.hpp"

#include "completion_options.hpp"

namespace skillhost::app {
namespace {

std::string zshAction(const std::string &value) {
  const std::vector<std::string> choices = choicesOf(value);
  if (!choices.empty()) return "compadd -- " + joined(choices, " ");
  if (value == "DIR") return "_files -/";
  if (value == "FILE" || value == "PATH") return "_files";
  return ":";
}

// Returns 'name:what it does' in the form of _describe.
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
};

void collectForZsh(const CommandDescription &command, const std::string &chain,
                   const std::string &inherited, ZshCases &cases) {
  std::string options;
  for (const ArgumentDescription &option : command.options)
    for (const std::string &name : option.names) options += described(name, option.help);
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
         "\n" +
         optionFunction(program) +
         "\n"
         "_skillhost() {\n"
         "  local previous=$words[CURRENT-1] chain='' i value optional\n"
         "  local -a list\n"
         "  for ((i = 2; i < CURRENT; i++)); do\n"
         "    _skillhost_option \"$chain\" \"$words[i]\"\n"
         "    if [[ -n $value && $optional == 0 ]]; then ((i++)); continue; fi\n"
         "    case \"$chain $words[i]\" in\n" +
         cases.steps +
         "    esac\n  done\n"
         "  if [[ $PREFIX == --*=* ]]; then\n"
         "    previous=${PREFIX%%=*}\n"
         "    compset -P '*='\n"
         "  fi\n"
         "  _skillhost_option \"$chain\" \"$previous\"\n"
         "  case $value in\n"
         "    ('') ;;\n"
         "    (anything) return ;;\n"
         "    (folders) _files -/; return ;;\n"
         "    (files) _files; return ;;\n"
         "    (*) compadd -- ${=value}; return ;;\n"
         "  esac\n"
         "  case $chain in\n" +
         cases.words + "  esac\n}\ncompdef _skillhost skillhost\n";
}

} // namespace skillhost::app
