// SPDX-License-Identifier: Apache-2.0
// Puts trees and blobs that came one by one into the store, many at a time as one pack. One thread.
#pragma once

#include "object_store.hpp"

#include "remote/operation.hpp"

namespace skillhost::github {

enum class ObjectKind : std::uint8_t { tree, blob };

// The id that git gives an object of these bytes.
std::string idOf(ObjectKind kind, std::string_view bytes);

class ObjectWriter {
public:
  // Both outlive it. Throws skh::Error(SKH_UNAVAILABLE), as all of it does when the disk refuses.
  ObjectWriter(ObjectStore &store, remote::Operation &operation);

  // Takes the object when these are the bytes of `id`; false when they are not. Held in memory
  // until flush(), or until they are many.
  bool add(ObjectKind kind, const std::string &id, std::string_view bytes);
  // All or nothing reaches the disk of what was added since the last time.
  void flush();
  // Bytes that were taken.
  std::uint64_t bytes() const noexcept { return total_; }

private:
  remote::Operation &operation_;
  RepositoryHandle repository_;
  DatabaseHandle database_;
  git_odb_backend *memory_ = nullptr; // owned by database_
  std::vector<git_oid> held_;
  std::size_t heldBytes_ = 0;
  std::uint64_t total_ = 0;
};

} // namespace skillhost::github
