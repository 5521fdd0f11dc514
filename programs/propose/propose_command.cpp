// SPDX-License-Identifier: Apache-2.0
#include "propose_command.hpp"

#include "connection/connect_command.hpp"
#include "connection/options.hpp"
#include "settings/paths.hpp"

#include <utility>

namespace skillhost {

app::CommandDescription proposeDescription() {
  const char *const group = app::generalOptions;
  app::CommandDescription command{
      "propose",
      "Propose the skill in a folder to the reviewers of a server over HTTP.",
      false,
      {app::helpOption(),
       app::jsonOption(),
       {{"--url"}, "URL", "The URL of the server.", group},
       {{"--note"}, "TEXT", "What the proposal is for; the reviewer reads it.", group},
       {{"--list"}, "", "Send nothing, and list your proposals and what became of them.", group}},
      {{{"FOLDER"}, "DIR", "The folder with the SKILL.md."}}};
  for (app::ArgumentDescription &option : app::connectionOptions(group))
    command.options.push_back(std::move(option));
  command.position = 1760;
  return command;
}

Result<ProposeSettings> readProposeSettings(const app::ParsedArguments &parsed,
                                            const app::Surroundings &surroundings) {
  constexpr std::size_t maxNoteBytes = 2'000;
  const auto refused = [&](const std::string &why) {
    return app::refusedArguments(parsed.commands, why);
  };
  ProposeSettings settings;
  settings.json = parsed.has("--json");
  settings.note = parsed.last("--note");
  settings.connect.url = parsed.last("--url");
  const bool lists = parsed.has("--list");
  if (parsed.has("FOLDER") == lists)
    return refused("name the folder of the skill, or give --list without one");
  if (settings.connect.url.empty()) return refused("name the server with --url URL");
  if (lists && parsed.has("--note")) return refused("--note goes with a folder");
  if (settings.note.size() > maxNoteBytes) return refused("--note: is longer than 2,000 bytes");
  if (const Status read = readConnection(parsed, surroundings, settings.log, settings.connect);
      !read)
    return refused(read.failure().message);
  if (!lists)
    settings.folder =
        settings::absolutePath(parsed.last("FOLDER"), surroundings.workingDirectory, surroundings);
  return settings;
}

} // namespace skillhost
