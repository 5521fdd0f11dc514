// SPDX-License-Identifier: Apache-2.0
// Computes the two digests of a version. checksum.blake3 is the BLAKE3 of metadata.json, vfs.json
// and module.wasm in sequence, keyed if the store has a key. Without a key, b3sum prints the same
// for the three files. The digest of the content does not depend on the time and place of saving.
#pragma once

#include "ground/blake3.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace skillhost::store {

Blake3 checksumOf(const std::optional<Blake3::Key> &key);
// `listing` is the text of vfs.json before compression; `module` is nothing if there is none.
std::string contentDigest(std::string_view listing, std::optional<std::string_view> module);

} // namespace skillhost::store
