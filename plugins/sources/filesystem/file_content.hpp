// SPDX-License-Identifier: Apache-2.0
// Reads regular files together with the identity that they had during the reading.
#pragma once

#include "checkpoint.hpp"
#include "identity.hpp"
#include "root.hpp"

#include <memory>

namespace skillhost::filesystem {

struct Content {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;
  std::string_view view() const noexcept { return {bytes.get(), size}; }
};

// Returns all bytes of the open file if it has `identity` before and after; otherwise nothing.
// Throws what `checkpoint` throws, and skh::Error(SKH_FAILED) if the system cannot read the file.
std::optional<Content> readSteady(int file, const FileIdentity &identity,
                                  const Checkpoint &checkpoint);

struct Examined {
  FileIdentity identity;
  std::optional<Digest> digest; // digest of the bytes; missing if they kept changing
};

// Opens the file and computes its digest, several times if it changes meanwhile. Returns the
// identity `known` if the file cannot be opened.
Examined examine(const Root &root, const std::string &path, const FileIdentity &known,
                 const Checkpoint &checkpoint);

// True if the file of `size` bytes is a Git LFS pointer. False as well if it cannot be read.
bool holdsLfsPointer(const Root &root, const std::string &path, std::uint64_t size);

} // namespace skillhost::filesystem
