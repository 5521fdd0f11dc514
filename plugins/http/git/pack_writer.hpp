// SPDX-License-Identifier: Apache-2.0
// Writes packs (gitformat-pack, version 2): whole objects, and trees as differences to trees that
// the client has.
#pragma once

#include "compression.hpp"
#include "ground/fragments.hpp"
#include "ground/sha1.hpp"
#include "objects.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::git {

// The bytes of a pack, in pieces of one packet each.
using PackPieces = std::vector<Fragments::Shared>;
// Bytes of a piece: a packet has one byte more, for the band.
constexpr std::size_t pieceBytes = 65'515;

// Used by one thread at a time. All functions throw std::runtime_error if OpenSSL offers no SHA-1.
class PackWriter {
public:
  // `objects` is the number of calls of add() and addDifference() that follow.
  explicit PackWriter(std::uint32_t objects);

  void add(ObjectType type, std::string_view content);
  // Adds the tree as a difference to `base`, which the client has.
  void addDifference(const ObjectId &base, std::string_view baseText, std::string_view text);
  std::size_t bytes() const noexcept { return bytes_; }
  // Call it last.
  PackPieces finish();

private:
  void addEntry(unsigned type, std::string_view inserted, std::string_view content);
  void write(std::string_view bytes);
  void store(std::string_view bytes);

  Sha1 sum_;
  Deflater deflater_;
  PackPieces pieces_;
  std::string piece_;
  std::size_t bytes_ = 0;
};

// Returns the instructions that make the tree `text` of the tree `base`: copies of equal entries,
// and the other entries.
std::string treeDifference(std::string_view base, std::string_view text);

} // namespace skillhost::git
