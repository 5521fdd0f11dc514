// SPDX-License-Identifier: Apache-2.0
#include "token_commands.hpp"

namespace skillhost::app {

CommandDescription tokenDescription() {
  const ArgumentDescription help{{"-h", "--help"}, "", "Print this help.", "General options"};
  const ArgumentDescription file{{"--file"},
                                 "FILE",
                                 "The file of tokens. Default: skillhost/tokens.json in "
                                 "$XDG_CONFIG_HOME or ~/.config.",
                                 "General options"};
  const ArgumentDescription name{{"NAME"}, "TEXT", "Whose token it is: A-Z a-z 0-9 . _ - @."};
  CommandDescription command{
      "token", "Make, list and revoke the tokens of the auth plugin static.", false, {help}};
  command.commands = {
      {"add",
       "Make a token and print it, once.",
       false,
       {help,
        file,
        {{"--scope"},
         "SCOPE",
         "What it opens, such as skills:read; may be given again. Default: nothing.",
         "General options",
         false,
         true},
        {{"--expires-in"},
         "TIME",
         "How long it works: 90m, 12h, 30d. Default: until it is revoked.",
         "General options"}},
       {name}},
      {"list",
       "List the tokens by name; the tokens themselves are nowhere kept.",
       false,
       {help, file, {{"--json"}, "", "Print JSON.", "General options"}}},
      {"revoke", "Take a token out of the file.", false, {help, file}, {name}},
  };
  command.position = 1300;
  return command;
}

} // namespace skillhost::app
