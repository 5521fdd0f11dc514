// SPDX-License-Identifier: Apache-2.0
// Bytes of SKILL.md files that were read before anybody asked for them, until somebody does.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace skillhost::github {

// Any thread.
class EntryTexts {
public:
  using Texts = std::unordered_map<std::string, std::string>; // by blob

  void replace(Texts texts);
  // Once each: who has read a catalogue has no more use for them.
  std::optional<std::string> take(const std::string &blob);

private:
  std::mutex mutex_;
  Texts texts_;
};

} // namespace skillhost::github
