// SPDX-License-Identifier: Apache-2.0
// `skillhost model fetch`.
#pragma once

#include <cstdint>
#include <string>

namespace skillhost::model {

struct FetchSettings {
  std::string folder;   // absolute
  std::string indexUrl; // empty: what pip is configured for
  bool force = false;   // though it is there and intact
  bool json = false;
};

// Leaves the pinned model in the folder, whole, and prints what to write into the configuration.
// Returns the exit code. Throws std::runtime_error, which says why there is none, and Interrupted:
// the folder is then what it was.
int fetchModel(const FetchSettings &settings);

} // namespace skillhost::model
