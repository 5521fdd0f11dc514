// SPDX-License-Identifier: Apache-2.0
// The state when the process last ended: the skills, and the version of the index.
#pragma once

#include "snapshot.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace skillhost::well_known {

struct State {
  std::string url;          // address of the index
  std::string etag;         // of the index; "" if something of it is still missing
  std::int64_t checked = 0; // Unix seconds of the server's last answer
  std::vector<SkillPointer> skills;
  std::string indexDigest{}; // of the index that first named these skills; "": unknown
  std::string index{};       // address at which it was found
  bool isVerified = true;    // it has digests
};

// Returns nothing if the file has another version, is incomplete or belongs to another index.
std::optional<State> readState(const std::string &text, const std::string &url);
std::string writeState(const State &state);

} // namespace skillhost::well_known
