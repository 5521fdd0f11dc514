// SPDX-License-Identifier: Apache-2.0
#include "plugin_commands.hpp"

namespace skillhost::app {
namespace {

const ArgumentDescription pluginConfigurationOption{
    {"--config"},
    "FILE",
    "The plugin's configuration: a file with one JSON object. With --trusted ${env:NAME} and "
    "${file:PATH} in it are looked up.",
    generalOptions};
const ArgumentDescription pluginMayRead{
    {"--allow-read"},
    "PATH",
    "A file or folder that the plugin may read, besides its own folder, the system's libraries and "
    "what its configuration names.",
    generalOptions,
    false,
    true};
const ArgumentDescription pluginIsTrusted{
    {"--trusted"},
    "",
    "Confine nothing and keep the environment: for a plugin you trust like yourself, or below a "
    "debugger. Default: it is confined as a host confines it (isolation: process).",
    generalOptions};
const ArgumentDescription pluginFileArgument{{"PLUGIN"}, "PATH", "The shared object, hello.so."};

} // namespace

CommandDescription checkDescription(const ArgumentDescription &help,
                                    const ArgumentDescription &json) {
  CommandDescription command{
      "check",
      "Check whether a plugin keeps the promises of the plugin interface.",
      false,
      {help,
       pluginConfigurationOption,
       json,
       {{"--deadline-ms"},
        "N",
        "How long each check may take: more on a slow machine, or with a sanitizer. Default: "
        "10000.",
        generalOptions},
       {{"--only"},
        "NAME",
        "Run only these checks, such as read,cancel.",
        generalOptions,
        false,
        true},
       pluginMayRead,
       pluginIsTrusted},
      {pluginFileArgument}};
  command.position = 1200;
  return command;
}

CommandDescription tryDescription(const ArgumentDescription &help) {
  CommandDescription command{
      "try",
      "Run one operation of a plugin and print what comes back.",
      false,
      {help,
       pluginConfigurationOption,
       {{"--deadline-ms"}, "N", "How long the operation may take. Default: 10000.", generalOptions},
       {{"--skills"},
        "DIR",
        "For query: index the SKILL.md files below this folder first.",
        generalOptions},
       {{"--resource"},
        "URI",
        "For validate: the resource the token is meant for.",
        generalOptions},
       pluginMayRead,
       pluginIsTrusted},
      {pluginFileArgument,
       {{"OPERATION"}, "list|read|query|validate", "What to do."},
       {{"ARGUMENT"},
        "TEXT",
        "read: a skill and a path. query: the words. validate: the token, or - to read it from "
        "standard input.",
        "",
        false,
        true}}};
  command.position = 1210;
  return command;
}

} // namespace skillhost::app
