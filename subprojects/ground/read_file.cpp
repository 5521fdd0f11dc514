// SPDX-License-Identifier: Apache-2.0
#include "ground/read_file.hpp"

#include "ground/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace skillhost {

Result<std::string> readFile(const std::string &path, std::size_t maxBytes, FileKind kind) {
  // With O_NONBLOCK, a FIFO without a writer opens at once, and is then checked before it is read.
  const int patience = kind == FileKind::Regular ? O_NONBLOCK : 0;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | patience));
  struct stat status{};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0)
    return {errno == ENOENT || errno == ENOTDIR ? Fault::NotFound : Fault::OperationFailed,
            std::strerror(errno)};
  if (S_ISDIR(status.st_mode)) return {Fault::OperationFailed, "it is a folder"};
  if (kind == FileKind::Regular && !S_ISREG(status.st_mode))
    return {Fault::OperationFailed, "it is a pipe or a device: name a regular file"};
  return readDescriptor(file.number(), maxBytes);
}

Result<std::string> readDescriptor(int descriptor, std::size_t maxBytes) {
  std::string content;
  constexpr std::size_t step = 65'536;
  for (;;) {
    const std::size_t before = content.size();
    content.resize(before + std::min(step, maxBytes + 1 - before));
    const ssize_t got = ::read(descriptor, content.data() + before, content.size() - before);
    if (got < 0 && errno != EINTR) return {Fault::OperationFailed, std::strerror(errno)};
    content.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return content;
    if (content.size() > maxBytes)
      return {Fault::TooLarge, "it is larger than " + std::to_string(maxBytes) + " bytes"};
  }
}

} // namespace skillhost
