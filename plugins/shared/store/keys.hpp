// SPDX-License-Identifier: Apache-2.0
// The file of a store's key: 32 random bytes that only its owner may read.
#pragma once

#include "ground/blake3.hpp"

#include <string>

namespace skillhost::store {

// Throws StoreError, which names the file: when it is missing, not a regular file, open to others,
// owned by somebody else, or not 32 bytes long.
Blake3::Key readStoreKey(const std::string &path);

// A file with mode 0600 that must not exist yet, with folders above it; on disk when this returns.
void writePrivateFile(const std::string &path, const std::string &bytes);
std::string newStoreKey(); // 32 bytes from the kernel

// The content of a private file of at most `limit` bytes, under the conditions above.
std::string readPrivateFile(const std::string &path, std::size_t limit);

} // namespace skillhost::store
