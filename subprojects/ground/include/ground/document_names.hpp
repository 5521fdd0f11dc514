// SPDX-License-Identifier: Apache-2.0
// Decides which files below a skill's folder are documents. Every source, `validate`, saving and
// pushing use this rule, so that all of them omit the same files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace skillhost {

enum class NameKind : std::uint8_t {
  Document,
  Litter, // made by tools and desktops: __pycache__, .DS_Store, node_modules
  Secret  // a secret, judging by its name: .env, id_rsa, .npmrc
};

// Returns the kind of one file or folder, judging by its own name.
NameKind kindOfName(std::string_view name) noexcept;

// Returns the kind of a file by its path below the skill's folder: a document lies in no folder
// that is litter or secret.
NameKind kindOfPath(std::string_view path) noexcept;

// The size of a Git LFS pointer in bytes: it has at least a version, an oid and a size.
constexpr std::size_t minLfsPointerBytes = 100, maxLfsPointerBytes = 1'024;

// True if the bytes are such a pointer, which means that the file itself is still at the LFS
// server.
bool isLfsPointer(std::string_view bytes) noexcept;

// True if the bytes are git's replacement for a symbolic link (core.symlinks is false): the
// relative path of a file or folder elsewhere, and nothing else.
bool looksLikeLinkText(std::string_view bytes) noexcept;

} // namespace skillhost
