// SPDX-License-Identifier: Apache-2.0
#include "checksum.hpp"

#include "digest/hexadecimal.hpp"

namespace skillhost::store {
namespace {

// Part of every signature: never to be changed.
constexpr const char *contentContext = "skillhost 2026-11-22 skill content";

} // namespace

digest::Blake3 checksumOf(const std::optional<digest::Key> &key) {
  return key ? digest::Blake3(*key) : digest::Blake3();
}

std::string contentDigest(std::string_view listing, std::optional<std::string_view> module) {
  digest::Blake3 hash(contentContext);
  // The size first: where the one ends and the other begins is part of what is said.
  hash.add(std::to_string(listing.size()) + (module ? " with module\n" : "\n"));
  hash.add(listing);
  if (module) hash.add(*module);
  return digest::hexadecimal(hash.finish());
}

} // namespace skillhost::store
