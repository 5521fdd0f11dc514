// SPDX-License-Identifier: Apache-2.0
// The two digests of a version. checksum.blake3 is BLAKE3, keyed where the store has a key, of
// metadata.json, vfs.json and module.wasm one after the other: without a key, what b3sum prints for
// the three of them. The digest of the content says nothing of when and where it was saved.
#pragma once

#include "ground/blake3.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace skillhost::store {

Blake3 checksumOf(const std::optional<Blake3::Key> &key);
// `listing` is the text of vfs.json before compression; `module` nothing when there is none.
std::string contentDigest(std::string_view listing, std::optional<std::string_view> module);

} // namespace skillhost::store
