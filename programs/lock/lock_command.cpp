// SPDX-License-Identifier: Apache-2.0
#include "lock_command.hpp"

namespace skillhost::app {

CommandDescription lockDescription() {
  CommandDescription command{
      "lock",
      "Write down what every source serves now, for --locked.",
      true,
      {helpOption(),
       {{"--file"}, "FILE", "The lock, in place of that of --skills-lock.", generalOptions},
       {{"--check"},
        "",
        "Write nothing: list what differs from the lock; exit code 1 when something does.",
        generalOptions}}};
  command.position = 900;
  return command;
}

} // namespace skillhost::app
