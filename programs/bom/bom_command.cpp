// SPDX-License-Identifier: Apache-2.0
#include "bom_command.hpp"

namespace skillhost::app {

CommandDescription bomDescription() {
  CommandDescription command{
      "bom",
      "Print a bill of the materials that are served: every skill with version, licence, "
      "origin and digest, and the plugins; exit code 1 when something is missing in it.",
      true,
      {helpOption(),
       {{"--json"}, "", "Print a CycloneDX 1.6 document.", generalOptions},
       {{"--files"}, "", "With --json: name every file of the skills too.", generalOptions}}};
  command.position = 1100;
  return command;
}

} // namespace skillhost::app
