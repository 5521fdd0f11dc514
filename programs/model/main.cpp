// SPDX-License-Identifier: Apache-2.0
// The program skillhost-model, which `skillhost model …` executes.
#include "check_folder.hpp"
#include "embedding/installed_models.hpp"
#include "fetch.hpp"
#include "ground/shown.hpp"
#include "interruption.hpp"
#include "list.hpp"
#include "model_command.hpp"
#include "model_state.hpp"
#include "pinned_model.hpp"
#include "program.hpp"
#include "settings/paths.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

namespace skillhost::model {
namespace {

using app::ParsedArguments;
using app::Surroundings;
using programs::refuse;

int act(const ParsedArguments &parsed, const Surroundings &surroundings) {
  if (parsed.commands.size() < 2)
    return refuse(app::refusedArguments(
        parsed.commands, "choose a command: model fetch, model list or model check"));
  std::vector<std::string> folders;
  if (parsed.has("DIR"))
    for (const std::string &folder : parsed.values.at("DIR"))
      folders.push_back(
          settings::absolutePath(folder, surroundings.workingDirectory, surroundings));
  const embedding::Installation installation{surroundings.variable("XDG_DATA_HOME"),
                                             surroundings.variable("HOME"),
                                             surroundings.executable};
  const std::string models = embedding::ownModels(installation);
  const std::vector<std::string> places = embedding::modelPlaces(installation);
  const std::string &action = parsed.commands[1];
  if (action == "list") return listModels(places, folders, parsed.has("--json"));
  if (folders.empty() && models.empty())
    return refuse(app::refusedArguments(parsed.commands,
                                        "name the folder (HOME is not set, or no absolute path)"));
  const PinnedModel &model =
      parsed.has("--model") ? pinnedModelFor(parsed.last("--model")) : pinnedModels().front();
  std::string folder = folders.empty() ? models + "/" + std::string(model.name) : folders.front();
  if (action == "fetch")
    return fetchModel({&model, folder, parsed.last("--index-url"), parsed.has("--force"),
                       parsed.has("--json"), folders.empty()});
  const std::vector<std::string> installed = embedding::installedModels(places).folders;
  if (folders.empty() && !parsed.has("--model") && !installed.empty()) folder = installed.front();
  return checkFolder(folder, parsed.has("--instructions") ? parsed.last("--instructions") : "auto",
                     parsed.has("--json"));
}

int work(const ParsedArguments &parsed, const Surroundings &surroundings) try {
  return act(parsed, surroundings);
} catch (const Interrupted &why) {
  printShown(stderr, "skillhost: interrupted; nothing was changed\n");
  // Ends by the same signal, so that a shell sees it.
  std::signal(why.signal, SIG_DFL);
  std::raise(why.signal);
  return 1;
}

} // namespace
} // namespace skillhost::model

int main(int count, char **words) {
  using namespace skillhost;
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  return programs::run(arguments,
                       programs::skillhostWith(programs::carriedOutBy(
                           "model", app::ServerOptions::Refused,
                           {app::modelDescription(app::helpOption(), app::jsonOption())})),
                       model::work);
}
