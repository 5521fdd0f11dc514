// SPDX-License-Identifier: Apache-2.0
// Holds one version of the bundle file in memory. The code does not depend on skillhost.
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

// A bundle never changes once it is parsed, so any number of threads may read it.
struct Bundle {
  std::map<std::string, std::map<std::string, BundledFile>> skills; // skill -> path -> file
  std::string snapshot;                                             // changes whenever a file does
  std::vector<std::string> warnings; // one for each skill that was left out, with the reason

  // Throws std::runtime_error when the text is no bundle at all. A malformed skill is left out with
  // a warning, so that the others stay available.
  static Bundle parse(std::string_view json);
};
