// SPDX-License-Identifier: Apache-2.0
// Reads each document of a source once and computes its digest, and that of a whole skill.
#pragma once

#include "plugin/source.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct LockedDocument {
  std::string digest; // BLAKE3 of the bytes: 64 lower-case hexadecimal digits
  std::uint64_t size = 0;
  bool executable = false;

  bool operator==(const LockedDocument &) const = default;
};

using LockedSkill = std::map<std::string, LockedDocument>; // by path

using DocumentDigests = std::vector<Result<LockedDocument>>; // parallel to the documents

LockedDocument digestOf(const Document &document, std::string_view bytes);

// Returns a digest that differs if any byte, path or executable bit of these files differs:
// "blake3:" and 64 hexadecimal digits.
std::string contentDigest(const LockedSkill &files);

// Reads all documents, each of at most 64 MiB, and calls `done` once, on a thread of the executor.
void digestDocuments(Source &source, const CallOptions &options, std::vector<Document> documents,
                     std::function<void(DocumentDigests)> done);

} // namespace skillhost
