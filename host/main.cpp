// SPDX-License-Identifier: Apache-2.0
#include "app/process.hpp"
#include "app/run.hpp"
#include "commit.hpp"

int main(int count, char **arguments) {
  skillhost::app::prepareProcess();
  return skillhost::app::run({arguments + 1, arguments + count}, skillhost::commitOfBuild());
}
