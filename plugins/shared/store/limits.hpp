// SPDX-License-Identifier: Apache-2.0
// Limits of a stored skill, which are checked before bytes are accepted.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skillhost::store {

constexpr std::size_t maxFiles = 512;
constexpr std::size_t maxBytes = std::size_t{16} << 20U;       // all files together, unencoded
constexpr std::size_t maxModuleBytes = std::size_t{16} << 20U; // size of module.wasm
constexpr std::size_t maxNameBytes = 64;
constexpr std::size_t maxPathBytes = 1'024;
// The contents, of which none is longer than in base64 (four bytes for three), and for each file
// its path, in which JSON may write a byte as six (`\u0001`), and 64 bytes for names of members.
constexpr std::size_t maxListingBytes = maxBytes / 3 * 4 + maxFiles * (6 * maxPathBytes + 64);
constexpr std::size_t maxMetadataBytes = std::size_t{64} << 10U;
constexpr std::size_t maxSignatureBytes = std::size_t{16} << 10U;
// Limit of version numbers in signatures. Versions go up to UINT32_MAX; the higher numbers are
// reserved for the store, so that signatures by strangers cannot use them up.
constexpr std::uint64_t maxSignedVersion = INT32_MAX;

} // namespace skillhost::store
