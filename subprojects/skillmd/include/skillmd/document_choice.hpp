// SPDX-License-Identifier: Apache-2.0
// Finds the files of a skill that a caller names in one of the ways in which they are shown:
// relative, absolute, by URI, with an anchor or a line, as a folder, or by a pattern.
#pragma once

#include "ground/result.hpp"
#include "skillmd/placed_files.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct DocumentChoice {
  std::vector<std::size_t> files; // indices into PlacedFiles::paths
  // True: the path names a folder or the whole skill, and `files` are its files, to be listed.
  bool folder = false;
};

// Finds the documents that `path` names. `here` is true if the reader shares a file system with the
// skill, so that the absolute path of its folder is a name, too. Never chooses anything outside the
// skill. Fails with NotFound if the path names nothing.
Result<DocumentChoice> chooseDocuments(const PlacedFiles &skill, std::string_view path, bool here);

} // namespace skillhost
