// SPDX-License-Identifier: Apache-2.0
// What was known when the process last ended: which commit, and when the remote was asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace skillhost::github {

struct State {
  std::string url, ref; // what the commit was fetched for
  std::string commit;
  std::int64_t checked = 0; // Unix seconds of the last answer of the remote
};

// Nothing when there is no file, or it is of another version, half-written or about something else.
std::optional<State> readState(const std::string &path, const std::string &url,
                               const std::string &ref);

// As replaceFile() does it.
void writeState(const std::string &path, const State &state);

} // namespace skillhost::github
