// SPDX-License-Identifier: Apache-2.0
#include "doctor_command.hpp"

namespace skillhost::app {

CommandDescription doctorDescription() {
  CommandDescription command{
      "doctor",
      "Look at the configuration, the sources, the kernel and the clients, and say "
      "what is wrong and what to do; exit code 1 when something is.",
      true,
      {helpOption(), jsonOption()}};
  command.position = 800;
  return command;
}

} // namespace skillhost::app
