// SPDX-License-Identifier: Apache-2.0
// One version of the bundle file in memory. Knows nothing of skillhost.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

struct BundledFile {
  std::string text;
  std::string revision; // changes whenever the text does
};

// Immutable once parsed, so any number of threads may read it.
struct Bundle {
  std::map<std::string, std::map<std::string, BundledFile>> skills; // skill -> path -> file
  std::string snapshot;                                             // changes whenever a file does
  std::vector<std::string> warnings; // skills that were left out, and why

  // Throws std::runtime_error when the text is no bundle at all. A skill that is wrong is left out
  // with a warning: it must not take the others with it.
  static Bundle parse(std::string_view json);
};
