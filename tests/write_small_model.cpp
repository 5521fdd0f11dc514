// SPDX-License-Identifier: Apache-2.0
// write_small_model FOLDER writes the model of small_model.hpp, for tests that start the server.
#include "small_model.hpp"

int main(int count, char **values) {
  if (count != 2) return 1;
  SmallModel().write(values[1]);
  return 0;
}
