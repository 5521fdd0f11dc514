// SPDX-License-Identifier: Apache-2.0
#include "app/built_features.hpp"
#include "app/run.hpp"
#include "base/process_start.hpp"
#include "commit.hpp"

#include <cstdio>
#include <exception>

int main(int count, char **arguments) try {
  skillhost::prepareProcess();
  return skillhost::app::run({arguments + 1, arguments + count}, skillhost::commitOfBuild(),
                             skillhost::app::builtFeatures());
} catch (const std::exception &) {
  // run() has words for every other exception. Here the words must need no memory.
  std::fputs("skillhost: there is not enough memory to start\n", stderr);
  return 1;
}
