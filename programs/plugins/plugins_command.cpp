// SPDX-License-Identifier: Apache-2.0
#include "plugins_command.hpp"

namespace skillhost::app {

CommandDescription pluginsDescription() {
  CommandDescription command{"plugins",
                             "List the plugins found, their state and why.",
                             true,
                             {helpOption(),
                              jsonOption(),
                              {{"--write-lock"},
                               "FILE",
                               "Write the digests of the usable ones to FILE, for --plugins-lock.",
                               generalOptions}}};
  command.position = 200;
  return command;
}

} // namespace skillhost::app
