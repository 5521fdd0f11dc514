// SPDX-License-Identifier: Apache-2.0
#include "ground/append_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

namespace skillhost {

Descriptor openForAppending(const std::string &path) {
  // With O_NONBLOCK, open() fails for a pipe without a reader instead of waiting for one.
  Descriptor file(
      ::open(path.c_str(),
             O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600));
  struct stat info{};
  if (file && (::fstat(file.number(), &info) != 0 ||
               // The mode of a device stays as it is.
               (S_ISREG(info.st_mode) && ::fchmod(file.number(), 0600) != 0))) {
    const int why = errno;
    file.reset();
    errno = why;
  }
  return file;
}

} // namespace skillhost
