// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as the files of a stored skill: whatever vfs.json and metadata.json hold, reading
// them ends, and accepted listings have the only valid spelling.
#include "store/listing.hpp"
#include "store/metadata.hpp"
#include "store/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace skillhost::store;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string text(data, data + size);
  try {
    Buffer buffer(size);
    if (size != 0) std::memcpy(buffer.data(), text.data(), size);
    std::vector<File> files;
    for (const FileView &file : readListing(buffer))
      files.push_back({std::string(file.path), std::string(file.bytes)});
    const std::string written = writeListing(files);
    // Text may have been base64 and the reverse; the second reading must give the same.
    Buffer second(written.size());
    std::memcpy(second.data(), written.data(), written.size());
    const std::vector<FileView> views = readListing(second);
    if (views.size() != files.size()) std::abort();
    for (std::size_t i = 0; i < files.size(); ++i)
      if (views[i].path != files[i].path || views[i].bytes != files[i].bytes) std::abort();
  } catch (const StoreError &) {}
  try {
    if (writeMetadata(readMetadata(text)) != text) std::abort();
  } catch (const StoreError &) {}
  return 0;
}
