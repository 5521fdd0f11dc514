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
  const ArgumentDescription name{
      {"NAME"}, "TEXT", "The name of the token's owner: A-Z a-z 0-9 . _ - @."};
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
         "A scope of the token, such as skills:read; may be given again. Default: none.",
         "General options",
         false,
         true},
        {{"--expires-in"},
         "TIME",
         "How long the token is valid: 90m, 12h, 30d. Default: until it is revoked.",
         "General options"}},
       {name}},
      {"list",
       "List the tokens by name; the tokens themselves are not stored.",
       false,
       {help, file, {{"--json"}, "", "Print JSON.", "General options"}}},
      {"revoke", "Revoke a token: remove it from the file.", false, {help, file}, {name}},
  };
  command.position = 1300;
  return command;
}

} // namespace skillhost::app
