// SPDX-License-Identifier: Apache-2.0
#include "client_config_command.hpp"

#include "client.hpp"

#include <string>

namespace skillhost::app {
namespace {

constexpr const char *filesGroup = "The client's file";
constexpr const char *teamGroup = "A server over HTTP, in place of one that is started";

} // namespace

CommandDescription clientConfigDescription(const ArgumentDescription &help) {
  CommandDescription command{
      "client-config",
      "Print what makes a client start this server as given here, or write it into the client's "
      "own file.",
      true,
      {help,
       {{"--write"},
        "",
        "Put it into the client's file; all else there stays, and what it was before is kept "
        "beside it.",
        filesGroup},
       {{"--remove"}, "", "Take it out again.", filesGroup},
       {{"--project"},
        "",
        "The file of the project in this folder, not the user's own.",
        filesGroup},
       {{"--file"}, "FILE", "This file in place of the client's usual one.", filesGroup},
       {{"--name"}, "NAME", "What the server is called there. Default: skillhost.", filesGroup},
       {{"--url"}, "URL", "Where it answers, such as https://skills.example/mcp.", teamGroup},
       {{"--token-env"},
        "NAME",
        "The variable of the environment that holds the bearer token.",
        teamGroup},
       {{"--token-file"},
        "FILE",
        "The file that holds it, by way of skillhost connect.",
        teamGroup},
       {{"--token-command"},
        "COMMAND",
        "The command that prints it, by way of skillhost connect.",
        teamGroup},
       {{"--header"},
        "TEXT",
        "One more field for every request, \"Name: value\".",
        teamGroup,
        false,
        true},
       {{"--allow-plain-token"},
        "",
        "Though the token goes over http:// to another machine.",
        teamGroup},
       {{"--connect"}, "", "By way of skillhost connect in any case.", teamGroup}},
      {{{"CLIENT"}, std::string(clientChoices), "The client."}}};
  command.position = 1700;
  return command;
}

} // namespace skillhost::app
