// SPDX-License-Identifier: Apache-2.0
#include "completion_options.hpp"

#include <algorithm>

namespace skillhost::app {
namespace {

using Names = std::vector<std::string>;

struct OptionCases {
  std::string values;   // command and option → value
  std::string inherits; // commands that also take the options of their parent
};

std::string valueKind(const std::string &value) {
  if (const auto choices = choicesOf(value); !choices.empty()) return joined(choices, " ");
  if (value == "DIR") return "folders";
  return value == "FILE" || value == "PATH" ? "files" : "anything";
}

// `above` are the options with a value that the command inherits.
void collectOptions(const CommandDescription &command, const std::string &chain, const Names &above,
                    OptionCases &cases) {
  Names taken = command.inheritsOptions ? above : Names{};
  for (const ArgumentDescription &option : command.options) {
    const bool isHiding =
        std::any_of(option.names.begin(), option.names.end(), [&](const std::string &name) {
          return std::find(taken.begin(), taken.end(), name) != taken.end();
        });
    if (option.value.empty() && !isHiding) continue;
    Names patterns;
    for (const std::string &name : option.names) patterns.push_back("'" + chain + ' ' + name + "'");
    cases.values += "    " + joined(patterns, "|") + ") ";
    if (option.value.empty()) {
      cases.values += "return ;;\n";
      continue;
    }
    cases.values += "value='" + valueKind(option.value) + "'" +
                    (option.valueOptional ? " optional=1" : "") + "; return ;;\n";
    taken.insert(taken.end(), option.names.begin(), option.names.end());
  }
  for (const CommandDescription &one : command.commands) {
    const std::string below = chain + ' ' + one.name;
    if (one.inheritsOptions) cases.inherits += (cases.inherits.empty() ? "'" : "|'") + below + "'";
    collectOptions(one, below, taken, cases);
  }
}

} // namespace

std::string optionFunction(const CommandDescription &program) {
  OptionCases cases;
  collectOptions(program, "", {}, cases);
  if (cases.inherits.empty()) cases.inherits = "''";
  return "_skillhost_option() {\n"
         "  local chain=$1\n"
         "  value='' optional=0\n"
         "  while true; do\n"
         "    case \"$chain $2\" in\n" +
         cases.values +
         "    esac\n"
         "    case \"$chain\" in\n"
         "    " +
         cases.inherits +
         ") chain=${chain% *} ;;\n"
         "    *) return ;;\n"
         "    esac\n"
         "  done\n"
         "}\n";
}

} // namespace skillhost::app
