// SPDX-License-Identifier: Apache-2.0
// The file of a store's key holds 32 random bytes that only its owner may read.
#pragma once

#include "ground/blake3.hpp"

#include <string>

namespace skillhost::store {

// Throws StoreError that names the file, if it is missing, not a regular file, open to others,
// owned by another user, or not 32 bytes long.
Blake3::Key readStoreKey(const std::string &path);

// Creates a file with mode 0600, which must not exist yet, and the folders above it. It is on disk
// when this returns.
void writePrivateFile(const std::string &path, const std::string &bytes);
std::string newStoreKey(); // 32 random bytes from the kernel

// Reads a private file of at most `limit` bytes under the conditions above.
std::string readPrivateFile(const std::string &path, std::size_t limit);

} // namespace skillhost::store
