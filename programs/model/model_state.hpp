// SPDX-License-Identifier: Apache-2.0
// Compares the content of a folder with the model that `fetch` put there.
#pragma once

#include "pinned_model.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::model {

struct ModelState {
  // Missing: there is no folder, or an empty one. Intact and Damaged: a folder that `fetch` has
  // made. Other: any other folder.
  enum class Kind : std::uint8_t { Missing, Intact, Damaged, Other };
  Kind kind = Kind::Missing;
  const PinnedModel *model = nullptr; // of an intact or damaged one
  std::uint64_t bytes = 0;            // of the files in a folder of ours
  std::vector<std::string> problems;  // for a damaged one, each with its path
  std::vector<std::string> added;     // files that `fetch` has not put into a folder of ours
};
std::string_view nameOf(ModelState::Kind kind) noexcept;

// Reads all of a folder of ours. For another one, checks only whether it is empty. Throws
// std::runtime_error if the folder cannot be read.
ModelState stateOf(const std::string &folder);
// Returns the bytes of all files in any folder. Throws like stateOf().
std::uint64_t bytesBelow(const std::string &folder);

} // namespace skillhost::model
