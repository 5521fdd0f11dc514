// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "app/process.hpp"
#include "base/process_start.hpp"
#include "commandline/description_file.hpp"
#include "commandline/help.hpp"
#include "ground/shown.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <utility>

namespace skillhost::programs {
namespace {

constexpr std::string_view describing = "--describe-commands";

// Returns the words of the commands that this program carries out.
std::vector<app::CommandWords> commandsWithFiles(const app::CommandDescription &program) {
  std::vector<app::CommandWords> found;
  for (const app::CommandDescription &command : program.commands)
    if (!command.isGroup)
      found.push_back({command.name});
    else
      for (const app::CommandDescription &one : command.commands)
        if (!one.program.empty()) found.push_back({command.name, one.name});
  return found;
}

const app::CommandDescription *commandOf(const app::CommandDescription &program,
                                         const app::CommandWords &words) {
  const app::CommandDescription *at = &program;
  for (const std::string &word : words) {
    const auto next = std::find_if(at->commands.begin(), at->commands.end(),
                                   [&](const auto &one) { return one.name == word; });
    if (next == at->commands.end()) return nullptr;
    at = &*next;
  }
  return at;
}

// There must be a file for every command, so that Meson installs each of them.
int describeCommands(const app::CommandDescription &program, std::span<const std::string> files) {
  std::vector<app::CommandWords> missing = commandsWithFiles(program);
  for (const std::string &file : files) {
    const app::CommandWords words =
        app::commandWords(std::filesystem::path(file).filename().string());
    const app::CommandDescription *command = words.empty() ? nullptr : commandOf(program, words);
    if (command == nullptr)
      return refuse({{}, file + ": this program has no command whose file is called so"});
    std::ofstream out(file, std::ios::binary);
    out << app::descriptionText(*command);
    if (!out.flush()) return refuse({{}, file + ": cannot be written"});
    std::erase(missing, words);
  }
  if (missing.empty()) return 0;
  return refuse({{}, "no file is named for the command " + app::joined(missing.front(), " ")});
}

} // namespace

int refuse(const Failure &why) {
  printShown(stderr, "skillhost: %s\n", why.message.c_str());
  return 1;
}

std::vector<app::CommandDescription> carriedOutBy(std::string_view name,
                                                  app::ServerOptions serverOptions,
                                                  std::vector<app::CommandDescription> commands) {
  for (app::CommandDescription &command : commands) {
    if (command.isGroup) {
      command.commands = carriedOutBy(name, serverOptions, std::move(command.commands));
      continue;
    }
    command.program = name;
    command.serverOptions = serverOptions;
  }
  return commands;
}

app::CommandDescription skillGroup(std::vector<app::CommandDescription> commands) {
  app::CommandDescription group{
      "skill",
      "Look at the skills that would be served, and at a store of skills.",
      true,
      {app::helpOption()}};
  group.commands = std::move(commands);
  group.isGroup = true;
  return group;
}

app::CommandDescription skillhostWith(std::vector<app::CommandDescription> commands) {
  return {"skillhost", "", false, {app::helpOption()}, {}, std::move(commands)};
}

int run(std::span<const std::string> arguments, const app::CommandDescription &program,
        const Work &work) try {
  prepareProcess();
  if (!arguments.empty() && arguments.front() == describing)
    return describeCommands(program, arguments.subspan(1));
  const Result<app::ParsedArguments> parsed = app::parseArguments(program, arguments);
  if (!parsed) return refuse(parsed.failure());
  if (parsed->has("--help")) {
    std::fputs(app::helpText(program, parsed->commands).c_str(), stdout);
    return app::exitCodeAfterPrinting(0);
  }
  if (parsed->commands.empty()) return refuse({{}, "this program is for skillhost to execute"});
  return app::exitCodeAfterPrinting(work(*parsed, app::Surroundings::ofThisProcess()));
} catch (const std::bad_alloc &) {
  std::fputs("skillhost: there is not enough memory\n", stderr); // needs no memory
  return 1;
} catch (const std::exception &why) {
  printShown(stderr, "skillhost: %s\n", app::reasonOf(why).c_str());
  return 1;
}

} // namespace skillhost::programs
