// SPDX-License-Identifier: Apache-2.0
// What was known when the process last ended.
#pragma once

#include "artefact.hpp"

namespace skillhost::oci_source {

struct State {
  std::string origin;       // Settings::origin of whoever wrote it
  std::int64_t checked = 0; // Unix seconds of the registry's last answer
  std::vector<ArtefactPointer> artefacts;
};

// Nothing when it is of another version, half-written or of another origin.
std::optional<State> readState(const std::string &text, const std::string &origin);
std::string writeState(const State &state);

} // namespace skillhost::oci_source
