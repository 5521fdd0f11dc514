// SPDX-License-Identifier: Apache-2.0
// The state when the process last ended: the skills, and what the server said of itself.
#pragma once

#include "snapshot.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::mcp_source {

struct State {
  std::string url;          // address of the server
  std::int64_t checked = 0; // Unix seconds of the server's last answer
  std::vector<SkillPointer> skills;
  ServerFacts facts;
};

// Returns nothing if the file has another version, is incomplete or belongs to another server.
std::optional<State> readState(const std::string &text, const std::string &url);
std::string writeState(const State &state);

} // namespace skillhost::mcp_source
