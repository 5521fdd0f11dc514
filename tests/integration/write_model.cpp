// SPDX-License-Identifier: Apache-2.0
// write_model DIR: writes the small model of the unit tests to a folder, for the tests in Python.
#include "small_model.hpp"

#include <cstdio>

int main(int count, char **words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s DIR\n", words[0]);
    return 1;
  }
  SmallModel().write(words[1]);
  return 0;
}
