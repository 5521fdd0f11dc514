// SPDX-License-Identifier: Apache-2.0
#include "skill_command.hpp"

#include "program.hpp"
#include "store_commands.hpp"

#include <vector>

namespace skillhost::app {

CommandDescription skillDescription() {
  const ArgumentDescription help = helpOption();
  const ArgumentDescription json = jsonOption();
  std::vector<ArgumentDescription> options = storeOptions();
  options.insert(options.begin(), {help, json});
  CommandDescription list{
      "list", "List every skill with its description; with --skill-dir those of a store.", true,
      options};
  list.position = 100;
  CommandDescription info{
      "info",
      "Show one skill: where it comes from, what it holds, who sees it; with --skill-dir one of a "
      "store.",
      true,
      options,
      {{{"NAME"}, "TEXT", "A name, or <source>/<path>."}}};
  info.position = 110;
  CommandDescription made{
      "new",
      "Make the folder of a new skill, with a SKILL.md to begin with.",
      false,
      {help,
       {{"--in"}, "DIR", "The folder to make it in. Default: this one.", generalOptions},
       {{"--description"}, "TEXT", "What it does, and when to use it.", generalOptions}},
      {{{"NAME"}, "TEXT", "Its name: a-z, 0-9 and single hyphens, at most 64 characters."}}};
  made.position = 120;
  CommandDescription command = programs::skillGroup({list, info, made});
  command.position = 400;
  return command;
}

} // namespace skillhost::app
