// SPDX-License-Identifier: Apache-2.0
// Reads compressed archives of the web, .tar.gz and .zip, written by strangers. Writes .tar.gz with
// the same bytes for the same files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::archive {

struct PackedFile {
  std::string path, bytes;
  bool executable = false;
};
struct PackedLimits {
  std::size_t files = 0; // as many folders are allowed in addition
  std::size_t bytes = 0; // all files together, counted while unpacking
};

// The unpacked data may be a hundred times as large as the packed data, if it is more than 1 MiB. A
// path has at most 16 segments and 512 bytes.
constexpr std::size_t maxRatio = 100, maxSegments = 16, maxPathBytes = 512;

// Throws std::runtime_error that says why, if libarchive is not on this machine. Without this
// check, a missing library looks like an archive that cannot be read.
void requireLibrary();

// Returns the files sorted by path. The bytes tell which of the two forms it is. A link to a file
// within the archive becomes a copy of it. Throws std::runtime_error that names the entry: for any
// other link; for a path that is absolute or has empty, "." (except at its beginning) or ".."
// segments, backslashes or control characters; for a path that occurs twice; if a limit is
// exceeded; for an entry that is neither a file nor a folder; and for an archive that is damaged or
// compressed more than once. Any thread may call it.
std::vector<PackedFile> readPacked(std::string_view bytes, const PackedLimits &limits);

// Returns a .tar.gz of the files in the given order, without times and owners. Throws
// std::runtime_error.
std::string writePacked(const std::vector<PackedFile> &files);
// Returns the uncompressed tar of the same.
std::string writeUnpacked(const std::vector<PackedFile> &files);

} // namespace skillhost::archive
