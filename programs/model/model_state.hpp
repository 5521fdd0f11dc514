// SPDX-License-Identifier: Apache-2.0
// What lies in a folder, held against the model that is pinned.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::model {

struct ModelState {
  // Missing: nothing is there, or an empty folder. Intact and Damaged are of folders that `fetch`
  // has made, Other of all else.
  enum class Kind : std::uint8_t { Missing, Intact, Damaged, Other };
  Kind kind = Kind::Missing;
  std::uint64_t bytes = 0;           // of the files in a folder of ours
  std::vector<std::string> problems; // of a damaged one, each with its path
  std::vector<std::string> added;    // files in a folder of ours that `fetch` has not put there
};
std::string_view nameOf(ModelState::Kind kind) noexcept;

// Reads the whole of a folder of ours, and of another one only whether it is empty. Throws
// std::runtime_error when it cannot be looked into.
ModelState stateOf(const std::string &folder);
// Of all files in any folder, however many there are. Throws as stateOf() does.
std::uint64_t bytesBelow(const std::string &folder);

// $XDG_DATA_HOME/skillhost/models, else ~/.local/share/skillhost/models; empty without either.
std::string modelsFolder(const std::string &dataHome, const std::string &home);

} // namespace skillhost::model
