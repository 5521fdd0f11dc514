// SPDX-License-Identifier: Apache-2.0
// Tar archives of plain files: made the same for the same files, and read from strangers.
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
  std::size_t files = 0; // and as many folders again
  std::size_t bytes = 0; // of all files, held before any are taken
};

// In the order given, in GNU's form of tar, with no time and no owner. Throws std::runtime_error.
std::string writeTar(const std::vector<TarFile> &files);
// Plain tar of any form, not compressed. Throws std::runtime_error, which names the entry, for a
// link or anything else than a file or folder, for a path that is absolute or has empty, "." or
// ".." segments, backslashes or control characters, for one that is there twice, for more than the
// limits, and for an archive that is damaged.
std::vector<TarFile> readTar(std::string_view bytes, const TarLimits &limits);

} // namespace skillhost::archive
