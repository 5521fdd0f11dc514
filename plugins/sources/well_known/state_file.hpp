// SPDX-License-Identifier: Apache-2.0
// What was known when the process last ended: the skills, and what the index was by then.
#pragma once

#include "snapshot.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace skillhost::well_known {

struct State {
  std::string url;          // of the index
  std::string etag;         // of it; "" when something of it is still missing
  std::int64_t checked = 0; // Unix seconds of the server's last answer
  std::vector<SkillPointer> skills;
  std::string indexDigest{}; // of the one that these were first named by; "": not known
};

// Nothing when it is of another version, half-written or about another index.
std::optional<State> readState(const std::string &text, const std::string &url);
std::string writeState(const State &state);

} // namespace skillhost::well_known
