// SPDX-License-Identifier: Apache-2.0
// Returns true if tests run in their long form. tests/run sets the variable to 0 or 1.
#pragma once

#include <cstdlib>
#include <string_view>

inline bool longTests() {
  const char *const value = std::getenv("SKILLHOST_LONG_TESTS"); // NOLINT(concurrency-mt-unsafe)
  return value != nullptr && std::string_view(value) == "1";
}
