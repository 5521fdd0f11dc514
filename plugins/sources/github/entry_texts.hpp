// SPDX-License-Identifier: Apache-2.0
// Holds texts of SKILL.md files that were read in advance, until they are requested.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace skillhost::github {

// Any thread may use it.
class EntryTexts {
public:
  using Texts = std::unordered_map<std::string, std::string>; // by blob

  void replace(Texts texts);
  // Returns each text only once, because a host that builds a catalogue reads it once.
  std::optional<std::string> take(const std::string &blob);

private:
  std::mutex mutex_;
  Texts texts_;
};

} // namespace skillhost::github
