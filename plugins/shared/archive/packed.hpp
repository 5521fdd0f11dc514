// SPDX-License-Identifier: Apache-2.0
// Compressed archives as the web hands them out: .tar.gz and .zip, read from strangers; .tar.gz,
// made the same for the same files.
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
  std::size_t files = 0; // and as many folders again
  std::size_t bytes = 0; // of all files, counted while they are unpacked
};

// What is unpacked may be a hundred times as large as what is packed, where it is more than 1 MiB;
// a path has at most 16 segments and 512 bytes.
constexpr std::size_t mostRatio = 100, mostSegments = 16, mostPathBytes = 512;

// Throws std::runtime_error, which says why, when libarchive is not on this machine. Who does not
// ask first hears of it as of an archive that cannot be read.
void requireLibrary();

// In order of paths. The bytes themselves say which of the two forms it is. A link that leads to a
// file within the archive becomes a copy of it. Throws std::runtime_error, which names the entry,
// for any other link, for a path that is absolute or has empty, "." (but at its beginning) or ".."
// segments, backslashes or control characters, for one that is there twice, for more than the
// limits, for what is neither a file nor a folder, and for an archive that is damaged or compressed
// more than once. Any thread.
std::vector<PackedFile> readPacked(std::string_view bytes, const PackedLimits &limits);

// A .tar.gz of the files in the order given, without times and owners. Throws std::runtime_error.
std::string writePacked(const std::vector<PackedFile> &files);
// The tar that is packed in it.
std::string writeUnpacked(const std::vector<PackedFile> &files);

} // namespace skillhost::archive
