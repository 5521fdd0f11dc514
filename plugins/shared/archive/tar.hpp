// SPDX-License-Identifier: Apache-2.0
// Writes tar archives of plain files with the same bytes for the same files, and reads those of
// strangers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::archive {

struct TarFile {
  std::string path, bytes;
};
struct TarLimits {
  std::size_t files = 0; // as many folders are allowed in addition
  std::size_t bytes = 0; // all files together, checked before any is taken
};

// Writes the files in the given order in GNU's form of tar, without times and owners. Throws
// std::runtime_error.
std::string writeTar(const std::vector<TarFile> &files);
// Reads an uncompressed tar of any form. Throws std::runtime_error that names the entry: for a link
// or anything else than a file or folder; for a path that is absolute or has empty, "." or ".."
// segments, backslashes or control characters; for a path that occurs twice; if a limit is
// exceeded; and for a damaged archive.
std::vector<TarFile> readTar(std::string_view bytes, const TarLimits &limits);

} // namespace skillhost::archive
