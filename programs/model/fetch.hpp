// SPDX-License-Identifier: Apache-2.0
// Implements `skillhost model fetch`.
#pragma once

#include <cstdint>
#include <string>

namespace skillhost::model {

struct FetchSettings {
  std::string folder;   // absolute
  std::string indexUrl; // empty: pip's configuration decides
  bool force = false;   // fetches even if it is there and intact
  bool json = false;
};

// Puts the complete pinned model into the folder, and prints the configuration to write. Returns
// the exit code. Throws std::runtime_error with the reason, and Interrupted; the folder is then
// unchanged.
int fetchModel(const FetchSettings &settings);

} // namespace skillhost::model
