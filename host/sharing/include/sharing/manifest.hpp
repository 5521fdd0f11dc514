// SPDX-License-Identifier: Apache-2.0
// What a source has, as one replica writes it down for the others: each document with the digest of
// its bytes, which are in files of their own.
#pragma once

#include "ground/blake3.hpp"
#include "ground/result.hpp"
#include "plugin/document.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace skillhost {

// What the documents of a manifest are in order of.
inline auto placeOf(const Document &document) { return std::tie(document.skill, document.path); }

// The bytes of a document.
struct SharedObject {
  Blake3::Digest digest{};
  std::uint64_t size = 0;
  // Why there are none: they could not be read when they were listed.
  std::optional<Fault> fault{};

  bool operator==(const SharedObject &) const = default;
};

struct SharedManifest {
  std::uint64_t number = 0;          // the higher one is the newer one
  Snapshot snapshot;                 // `refused` is empty: a lock is each replica's own
  std::vector<SharedObject> objects; // in step with the documents
};

// Of a digest in hexadecimal.
constexpr std::size_t digestDigits = 64;
constexpr std::size_t mostManifestBytes = std::size_t{512} << 20U;

// JSON lines: a heading, then one line a skill. The same manifest has the same text.
std::string manifestText(const SharedManifest &manifest);
// InvalidFormat says which line is wrong and what: a later version, names that no document has,
// other documents than the heading counts, any out of order or twice. Any thread.
Result<SharedManifest> readManifest(std::string_view text);

// The object of a document; null when the manifest has none of this revision.
const SharedObject *objectOf(const SharedManifest &manifest, const Document &document);
// From what one manifest lists to what another does.
Changes changesBetween(const Snapshot &before, const Snapshot &now);

} // namespace skillhost
