// SPDX-License-Identifier: Apache-2.0
#include "catalogue_description.hpp"

#include "bom_command.hpp"
#include "client_config_command.hpp"
#include "command_line/program.hpp"
#include "doctor_command.hpp"
#include "lock_command.hpp"
#include "own_sources_command.hpp"
#include "plugins_command.hpp"
#include "program.hpp"
#include "review_command.hpp"
#include "search_command.hpp"
#include "skill_command.hpp"
#include "source_command.hpp"
#include "usage_command.hpp"

#include <utility>
#include <vector>

namespace skillhost::app {

CommandDescription catalogueDescription() {
  const ArgumentDescription help = helpOption();
  const ArgumentDescription json = jsonOption();
  std::vector<CommandDescription> commands =
      ownSourcesDescriptions(help, json, configurationOption());
  for (CommandDescription &command : std::vector<CommandDescription>{
           pluginsDescription(), searchDescription(help, json, generalOptions), skillDescription(),
           sourceDescription(), usageDescription(help, json, generalOptions), doctorDescription(),
           lockDescription(), reviewDescription(help, json, generalOptions), bomDescription(),
           clientConfigDescription(help)})
    commands.push_back(std::move(command));
  return serverWith(programs::carriedOutBy("catalogue", ServerOptions::Taken, std::move(commands)));
}

} // namespace skillhost::app
