// SPDX-License-Identifier: Apache-2.0
// The bytes of regular files, together with the identity they had while they were read.
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

// All bytes of the open file, provided it has `identity` before and after; otherwise nothing.
// Throws what `checkpoint` throws, and skh::Error(SKH_FAILED) when the system cannot read it.
std::optional<Content> readSteady(int file, const FileIdentity &identity,
                                  const Checkpoint &checkpoint);

struct Examined {
  FileIdentity identity;
  std::optional<Digest> digest; // of the bytes; absent when they could not be had unchanged
};

// Opens the file and digests it, a few times over when it changes meanwhile. `known` is the
// identity when it cannot be opened.
Examined examine(const Root &root, const std::string &path, const FileIdentity &known,
                 const Checkpoint &checkpoint);

// True if the file, of so many bytes, is a pointer of Git LFS. False as well when it cannot be
// read.
bool holdsLfsPointer(const Root &root, const std::string &path, std::uint64_t size);

} // namespace skillhost::filesystem
