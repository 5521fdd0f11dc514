// SPDX-License-Identifier: Apache-2.0
// How much a stored skill may hold; checked before bytes are taken.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skillhost::store {

constexpr std::size_t mostFiles = 512;
constexpr std::size_t mostBytes = std::size_t{16} << 20U;       // of all files, as they are
constexpr std::size_t mostModuleBytes = std::size_t{16} << 20U; // of module.wasm
constexpr std::size_t mostNameBytes = 64;
constexpr std::size_t mostPathBytes = 1'024;
// Base64 makes four bytes of three, and no text is written that would be longer; then the paths.
constexpr std::size_t mostListingBytes = mostBytes / 3 * 4 + mostFiles * (6 * mostPathBytes + 64);
constexpr std::size_t mostMetadataBytes = std::size_t{64} << 10U;
constexpr std::size_t mostSignatureBytes = std::size_t{16} << 10U;
// Of the numbers up to UINT32_MAX that versions have; those above are left to the store, so that
// what a stranger has signed cannot use them up.
constexpr std::uint64_t mostSignedVersion = INT32_MAX;

} // namespace skillhost::store
