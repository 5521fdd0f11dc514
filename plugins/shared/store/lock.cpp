// SPDX-License-Identifier: Apache-2.0
#include "lock.hpp"

#include "problem.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

namespace skillhost::store {

WriterLock::WriterLock(const Folder &root)
    : file_(::openat(root.number(), lockName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644)) {
  if (!file_) failOfSystem(root.pathOf(lockName), "cannot be opened");
  while (::flock(file_.number(), LOCK_EX) != 0)
    if (errno != EINTR) failOfSystem(root.pathOf(lockName), "cannot be locked");
}

WriterLock::~WriterLock() {
  if (changed_) ::futimens(file_.number(), nullptr);
}

} // namespace skillhost::store
