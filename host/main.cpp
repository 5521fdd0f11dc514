// SPDX-License-Identifier: Apache-2.0
#include "app/run.hpp"

int main(int count, char **arguments) {
  return skillhost::app::run({arguments + 1, arguments + count});
}
