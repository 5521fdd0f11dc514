// SPDX-License-Identifier: Apache-2.0
// The state when the process last ended.
#pragma once

#include "artefact.hpp"

namespace skillhost::oci_source {

struct State {
  std::string origin;       // Settings::origin of the writer
  std::int64_t checked = 0; // Unix seconds of the registry's last answer
  std::vector<ArtefactPointer> artefacts;
};

// Returns nothing if the file has another version or origin, or is incomplete.
std::optional<State> readState(const std::string &text, const std::string &origin);
std::string writeState(const State &state);

} // namespace skillhost::oci_source
