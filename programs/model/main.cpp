// SPDX-License-Identifier: Apache-2.0
// skillhost-model, which `skillhost model …` executes.
#include "app/surroundings.hpp"
#include "check_folder.hpp"
#include "command_line/help.hpp"
#include "command_line/model_command.hpp"
#include "command_line/parser.hpp"
#include "configuration/paths.hpp"
#include "fetch.hpp"
#include "ground/shown.hpp"
#include "interruption.hpp"
#include "list.hpp"
#include "model_state.hpp"
#include "pinned_model.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

namespace skillhost::model {
namespace {

using app::ParsedArguments;
using app::Surroundings;

int refuse(const Failure &why) {
  printShown(stderr, "skillhost: %s\n", why.message.c_str());
  return 1;
}

// Help for what was named, from `model` on.
std::string helpOf(const app::CommandDescription &program,
                   const std::vector<std::string> &commands) {
  std::vector<const app::CommandDescription *> path{&program};
  for (const std::string &name : commands)
    for (const app::CommandDescription &one : path.back()->commands)
      if (one.name == name) {
        path.push_back(&one);
        break;
      }
  return app::helpText(path);
}

int run(std::vector<std::string> arguments) {
  const app::ArgumentDescription help{
      {"-h", "--help"}, "", "Print this help, or that of a command.", "General options"};
  const app::ArgumentDescription json{{"--json"}, "", "Print JSON.", "General options"};
  app::CommandDescription program{"skillhost", "", false, {help}, {}, {}};
  program.commands.push_back(app::modelDescription(help, json));
  arguments.insert(arguments.begin(), "model");
  const Result<ParsedArguments> given = app::parseArguments(program, arguments);
  if (!given) return refuse(given.failure());
  if (given->has("--help")) {
    std::fputs(helpOf(program, given->commands).c_str(), stdout);
    return 0;
  }
  if (given->commands.size() < 2)
    return refuse(app::refusedArguments(given->commands,
                                        "say what to do: model fetch, model list or model check"));
  const Surroundings surroundings = Surroundings::ofThisProcess();
  std::vector<std::string> folders;
  if (given->has("DIR"))
    for (const std::string &folder : given->values.at("DIR"))
      folders.push_back(app::absolutePath(folder, surroundings.workingDirectory, surroundings));
  const std::string models =
      modelsFolder(surroundings.variable("XDG_DATA_HOME"), surroundings.variable("HOME"));
  if (folders.empty() && models.empty())
    return refuse(app::refusedArguments(given->commands,
                                        "name the folder (HOME is not set, or no absolute path)"));
  const std::string action = given->commands[1];
  if (action == "list") return listModels(models, folders, given->has("--json"));
  const std::string folder =
      folders.empty() ? models + "/" + std::string(pinnedModel().name) : folders.front();
  if (action == "check")
    return checkFolder(folder,
                       given->has("--instructions") ? given->last("--instructions") : "auto",
                       given->has("--json"));
  return fetchModel(
      {folder, given->last("--index-url"), given->has("--force"), given->has("--json")});
}

// What could not be printed is no success.
int withAllPrinted(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  const std::string why = errno != 0 ? ": " + std::generic_category().message(errno) : "";
  printShown(stderr, "skillhost: not all of standard output could be written%s\n", why.c_str());
  return code != 0 ? code : 1;
}

} // namespace
} // namespace skillhost::model

int main(int count, char **words) {
  using namespace skillhost;
  // A file that may not grow further (ulimit -f) is an error of write(), as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return model::withAllPrinted(model::run({words + std::min(count, 1), words + count}));
  } catch (const model::Interrupted &why) {
    printShown(stderr, "skillhost: interrupted; nothing was changed\n");
    // Ends as if it had not been held back, so that a shell knows.
    std::signal(why.signal, SIG_DFL);
    std::raise(why.signal);
  } catch (const std::exception &why) {
    printShown(stderr, "skillhost: %s\n", why.what());
  }
  return 1;
}
