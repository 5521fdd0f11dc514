// SPDX-License-Identifier: Apache-2.0
// Writes trees and blobs, which arrive one by one, into the store as packs of many. Only one thread
// may use it.
#pragma once

#include "object_store.hpp"

#include "remote/operation.hpp"

namespace skillhost::github {

enum class ObjectKind : std::uint8_t { tree, blob };

// Returns the id that git gives an object with these bytes.
std::string idOf(ObjectKind kind, std::string_view bytes);

class ObjectWriter {
public:
  // Both arguments must outlive it. All functions throw skh::Error(SKH_UNAVAILABLE) if the disk
  // refuses.
  ObjectWriter(ObjectStore &store, remote::Operation &operation);

  // Takes the object if `bytes` match `id`; otherwise returns false. Objects stay in memory until
  // flush(), or until there are many.
  bool add(ObjectKind kind, const std::string &id, std::string_view bytes);
  // Writes everything added since the last time to disk, or nothing.
  void flush();
  // Bytes of the accepted objects.
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
