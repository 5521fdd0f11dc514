// SPDX-License-Identifier: Apache-2.0
#include "checksum.hpp"

#include "ground/hexadecimal.hpp"

namespace skillhost::store {
namespace {

// A part of every signature, which must never change.
constexpr const char *contentContext = "skillhost 2026-11-22 skill content";

} // namespace

Blake3 checksumOf(const std::optional<Blake3::Key> &key) { return key ? Blake3(*key) : Blake3(); }

std::string contentDigest(std::string_view listing, std::optional<std::string_view> module) {
  Blake3 hash(contentContext);
  // The size comes first, so that the digest covers the boundary between both texts.
  hash.add(std::to_string(listing.size()) + (module ? " with module\n" : "\n"));
  hash.add(listing);
  if (module) hash.add(*module);
  return hexadecimal(hash.finish());
}

} // namespace skillhost::store
