// SPDX-License-Identifier: Apache-2.0
// Implements `skillhost model fetch`.
#pragma once

#include "pinned_model.hpp"

#include <string>

namespace skillhost::model {

struct FetchSettings {
  const PinnedModel *model = nullptr;
  std::string folder;   // absolute
  std::string indexUrl; // empty: pip's configuration decides, or Maven Central is used
  bool force = false;   // fetches the model even if the folder already has it intact
  bool json = false;
  bool isDefaultFolder = false; // the search plugin finds the model there without a setting
};

// Puts the complete model into the folder, and prints the configuration to write. Returns
// the exit code. Throws std::runtime_error with the reason, or Interrupted after a signal; then the
// folder is unchanged.
int fetchModel(const FetchSettings &settings);

} // namespace skillhost::model
