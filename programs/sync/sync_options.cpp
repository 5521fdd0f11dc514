// SPDX-License-Identifier: Apache-2.0
#include "sync_options.hpp"

#include "configuration/keys.hpp"
#include "connection/connect_command.hpp"
#include "connection/options.hpp"
#include "settings/paths.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost::sync {
namespace {

using app::ArgumentDescription;
using app::ParsedArguments;
using app::refusedArguments;

constexpr const char *foldersGroup = "The folders";
constexpr const char *serverGroup = "A server over HTTP, instead of the configuration's sources";
constexpr std::uint64_t maxInterval = 86'400;

bool concernsLog(std::string_view option) {
  return option == "--log-level" || option == "--log-format";
}

// The options of a connection, except those that the server has, too.
std::vector<ArgumentDescription> serverConnectionOptions() {
  std::vector<ArgumentDescription> options = app::connectionOptions(serverGroup);
  std::erase_if(options,
                [](const ArgumentDescription &one) { return concernsLog(one.names.back()); });
  return options;
}

// Returns an option that says what the sources are; empty if none is given.
std::string givenSourceOption(const ParsedArguments &given) {
  for (const char *option : {"--config", "--set", "--hidden", "--watch"})
    if (given.has(option)) return option;
  for (const app::HostKey &key : app::hostKeys())
    if (!key.option.empty() && !concernsLog(key.option) && given.has(std::string(key.option)))
      return std::string(key.option);
  return {};
}

// Returns the reason why these options cannot be combined; empty if there is none.
std::string whatIsWrong(const ParsedArguments &given) {
  if (!given.has("--agent") && !given.has("--folder"))
    return "name the agents, such as --agent claude-code, or a folder with --folder DIR";
  if (given.has("--project") && !given.has("--agent")) return "--project goes with --agent";
  if (given.has("--follow") && (given.has("--dry-run") || given.has("--remove")))
    return "--follow goes neither with --dry-run nor with --remove";
  if (given.has("--interval") && !given.has("--follow")) return "--interval goes with --follow";
  if (given.has("--url") && given.last("--url").empty()) return "--url: name the server";
  if (given.has("--url") && given.has("--remove"))
    return "--remove takes away the skills of all sources: leave out --url";
  if (given.has("--url"))
    if (const std::string option = givenSourceOption(given); !option.empty())
      return "--url reads the skills of that server: leave out " + option;
  if (!given.has("--url"))
    for (const ArgumentDescription &option : serverConnectionOptions())
      if (given.has(option.names.back())) return option.names.back() + " goes with --url";
  return {};
}

} // namespace

app::CommandDescription syncDescription() {
  app::CommandDescription command{
      "sync",
      "Write the skills that are served into the folders from which agents read skills.",
      true,
      {app::helpOption(),
       app::jsonOption(),
       {{"--agent"},
        std::string(agentChoices),
        "The agent whose folder is filled; agents is the folder .agents, which many of them read.",
        foldersGroup,
        false,
        true},
       {{"--project"},
        "",
        "Fill the folders of the project in this folder, instead of the user's own.",
        foldersGroup},
       {{"--folder"}, "DIR", "Fill this folder.", foldersGroup, false, true},
       {{"--dry-run"},
        "",
        "Write nothing, and list what would change; exit code 3 if something would.",
        foldersGroup},
       {{"--remove"},
        "",
        "Remove every skill that this command has written, unless somebody has changed it.",
        foldersGroup},
       {{"--follow"}, "", "Go on, and write each change of the source.", foldersGroup},
       {{"--interval"},
        "SECONDS",
        "With --follow: how often the source is asked again. Default: 60.",
        foldersGroup},
       {{"--url"},
        "URL",
        "The URL of the server, such as https://skills.example/mcp.",
        serverGroup}}};
  for (ArgumentDescription &option : serverConnectionOptions())
    command.options.push_back(std::move(option));
  command.position = 1750;
  return command;
}

Result<SyncInvocation> syncInvocation(const ParsedArguments &given,
                                      const app::Surroundings &surroundings) {
  if (const std::string wrong = whatIsWrong(given); !wrong.empty())
    return refusedArguments(given.commands, wrong);
  SyncInvocation sync;
  sync.dryRun = given.has("--dry-run");
  sync.remove = given.has("--remove");
  sync.follow = given.has("--follow");
  sync.json = given.has("--json");
  auto interval = static_cast<std::uint64_t>(sync.interval.count());
  if (const Status read = readWholeNumber(given, "--interval", "seconds", maxInterval, interval);
      !read)
    return refusedArguments(given.commands, read.failure().message);
  sync.interval = std::chrono::seconds(interval);
  if (given.has("--agent")) {
    Result<std::vector<TargetFolder>> targets =
        targetFolders(given.values.at("--agent"), given.has("--project"), surroundings);
    if (!targets) return refusedArguments(given.commands, targets.failure().message);
    sync.targets = *std::move(targets);
  }
  for (const std::string &folder :
       given.has("--folder") ? given.values.at("--folder") : std::vector<std::string>{}) {
    Result<TargetFolder> target =
        targetFolder(settings::absolutePath(folder, surroundings.workingDirectory, surroundings));
    if (!target) return refusedArguments(given.commands, target.failure().message);
    if (std::none_of(sync.targets.begin(), sync.targets.end(),
                     [&](const TargetFolder &one) { return one.path == target->path; }))
      sync.targets.push_back(*std::move(target));
  }
  if (!given.has("--url")) return sync;
  sync.server.emplace().url = given.last("--url");
  if (const Status read = readConnection(given, surroundings, sync.log, *sync.server); !read)
    return refusedArguments(given.commands, read.failure().message);
  return sync;
}

} // namespace skillhost::sync
