// SPDX-License-Identifier: Apache-2.0
#include "commandline/completion.hpp"

#include "completion_options.hpp"

namespace skillhost::app {
namespace {

// Returns bash's completion for one kind of value.
std::string bashAction(const std::string &value) {
  const std::vector<std::string> choices = choicesOf(value);
  if (!choices.empty()) return "_skillhost_words '" + joined(choices, " ") + "'";
  if (value == "DIR") return "_skillhost_paths -d";
  if (value == "FILE" || value == "PATH") return "_skillhost_paths -f";
  return ":"; // any value
}

// The arms of the script's case statements.
struct BashCases {
  std::string steps; // path + word → path
  std::string words; // path → possible words
};

std::string names(const std::vector<ArgumentDescription> &options) {
  std::string out;
  for (const ArgumentDescription &option : options)
    for (const std::string &name : option.names) out += name + ' ';
  return out;
}

void collectForBash(const CommandDescription &command, const std::string &path,
                    const std::string &inherited, BashCases &cases) {
  const std::string options =
      names(command.options) + (command.inheritsOptions ? inherited : std::string{});
  std::string commands;
  for (const CommandDescription &one : command.commands) {
    commands += one.name + ' ';
    cases.steps += "    '" + path + ' ' + one.name + "') path='" + path + ' ' + one.name + "' ;;\n";
    collectForBash(one, path + ' ' + one.name, options, cases);
  }
  cases.words += "  '" + path + "')\n    if [[ $current == -* ]]; then _skillhost_words '" +
                 options + "'\n    else ";
  if (!commands.empty())
    cases.words += "_skillhost_words '" + commands + "'";
  else
    cases.words +=
        command.positionals.empty() ? ":" : bashAction(command.positionals.front().value);
  cases.words += "; fi ;;\n";
}

constexpr std::string_view head =
    R"(# bash completion for skillhost. Load it with: source <(skillhost completion bash)
_skillhost_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_skillhost_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

@OPTIONS@
_skillhost() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path='' i value optional
  COMPREPLY=()
  # Bash splits --option=value at the equals sign.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    _skillhost_option "$path" "${COMP_WORDS[i]}"
    if [[ -n $value && $optional == 0 ]]; then
      ((i++))
      [[ ${COMP_WORDS[i]} == '=' ]] && ((i++))
      continue
    fi
    case "$path ${COMP_WORDS[i]}" in
)";

constexpr const char *middle =
    R"(    esac
  done
  _skillhost_option "$path" "$previous"
  case $value in
  '') ;;
  anything) return ;;
  folders) _skillhost_paths -d; return ;;
  files) _skillhost_paths -f; return ;;
  *) _skillhost_words "$value"; return ;;
  esac
  case "$path" in
)";

std::string replaced(std::string_view text, std::string_view mark, const std::string &with) {
  std::string out(text);
  return out.replace(out.find(mark), mark.size(), with);
}

} // namespace

std::string bashCompletion(const CommandDescription &program) {
  BashCases cases;
  collectForBash(program, "", "", cases);
  return replaced(head, "@OPTIONS@", optionFunction(program)) + cases.steps + middle + cases.words +
         "  esac\n}\ncomplete -F _skillhost skillhost\n";
}

} // namespace skillhost::app
