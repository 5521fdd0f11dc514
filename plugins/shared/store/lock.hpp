// SPDX-License-Identifier: Apache-2.0
// The lock of a store lets one process write at a time and notifies readers of changes.
#pragma once

#include "store/folder.hpp"

namespace skillhost::store {

constexpr const char *lockName = ".lock";

class WriterLock {
public:
  // Waits for the present holder. The kernel releases the lock if its holder dies. Throws
  // StoreError.
  explicit WriterLock(const Folder &root);
  WriterLock(const WriterLock &) = delete;
  WriterLock &operator=(const WriterLock &) = delete;
  // After a change, sets the time of the lock file, which watchers observe.
  ~WriterLock();

  void changed() noexcept { changed_ = true; }

private:
  Descriptor file_;
  bool changed_ = false;
};

} // namespace skillhost::store
