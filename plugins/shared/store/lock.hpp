// SPDX-License-Identifier: Apache-2.0
// The lock of a store: one process writes at a time, and readers are told that somebody has.
#pragma once

#include "store/folder.hpp"

namespace skillhost::store {

constexpr const char *lockName = ".lock";

class WriterLock {
public:
  // Waits for whoever has it. The kernel gives it back when its holder dies. Throws StoreError.
  explicit WriterLock(const Folder &root);
  WriterLock(const WriterLock &) = delete;
  WriterLock &operator=(const WriterLock &) = delete;
  // Sets the time of the lock file, which is what watchers look at.
  ~WriterLock();

  void changed() noexcept { changed_ = true; }

private:
  Descriptor file_;
  bool changed_ = false;
};

} // namespace skillhost::store
