// SPDX-License-Identifier: Apache-2.0
#include "source_command.hpp"

namespace skillhost::app {

CommandDescription sourceDescription() {
  const ArgumentDescription help = helpOption();
  const ArgumentDescription json = jsonOption();
  const ArgumentDescription names{{"NAME"}, "TEXT", "Names of sources. Default: all.",
                                  "",       false,  true};
  CommandDescription command{"source", "Look at where skills come from.", true, {help}};
  command.position = 600;
  command.commands = {
      {"list", "List every source, its state and how many skills it has.", true, {help, json}},
      {"status",
       "Show the state, revision and last failure of sources; exit code 1 when one failed.",
       true,
       {help, json},
       {names}},
      {"refresh",
       "Ask sources for what is newest, and show the same.",
       true,
       {help, json},
       {names}},
  };
  return command;
}

} // namespace skillhost::app
