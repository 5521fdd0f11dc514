// SPDX-License-Identifier: Apache-2.0
#include "catalogue_command.hpp"

#include "command_line/program.hpp"
#include "program.hpp"

#include <iterator>
#include <utility>

namespace skillhost::app {

CommandDescription catalogueDescription() {
  std::vector<CommandDescription> all;
  for (CatalogueCommand &command : catalogueCommands())
    all.insert(all.end(), std::make_move_iterator(command.descriptions.begin()),
               std::make_move_iterator(command.descriptions.end()));
  return serverWith(programs::carriedOutBy("catalogue", ServerOptions::Taken, std::move(all)));
}

} // namespace skillhost::app
