// SPDX-License-Identifier: Apache-2.0
// Decides which files below a skill's folder are documents. Every source, `validate`, saving and
// pushing use this one rule, so that none of them carries what another leaves out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace skillhost {

enum class NameKind : std::uint8_t {
  Document,
  Litter, // tools and desktops write it: __pycache__, .DS_Store, node_modules
  Secret  // holds a secret, to go by its name: .env, id_rsa, .npmrc
};

// The kind of one file or folder, by its own name.
NameKind kindOfName(std::string_view name) noexcept;

// The kind of a file by its path below the skill's folder: a document lies in no folder that is
// litter or holds secrets.
NameKind kindOfPath(std::string_view path) noexcept;

// A pointer of Git LFS has at most this many bytes, and at least a version, an oid and a size.
constexpr std::size_t shortestLfsPointer = 100, longestLfsPointer = 1'024;

// True if the bytes are such a pointer: the file itself is still at the LFS server.
bool isLfsPointer(std::string_view bytes) noexcept;

// True if the bytes are what git writes in place of a symbolic link where it makes none
// (core.symlinks is false): the relative path of a file or folder elsewhere, and nothing else.
bool looksLikeLinkText(std::string_view bytes) noexcept;

} // namespace skillhost
