// SPDX-License-Identifier: Apache-2.0
#include "whole_file.hpp"

#include "ground/descriptor.hpp"
#include "ground/folder.hpp"

#include <skillhost/plugin.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace skillhost::files {
namespace {

Descriptor openAt(int folder, const std::string &name, int flags) {
  return Descriptor(::openat(folder, name.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR));
}
Descriptor openFolder(const std::string &path) {
  return openAt(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
}

} // namespace

void writeFile(const std::string &path, std::string_view bytes, Flush flush) {
  writeFile(AT_FDCWD, path, bytes, flush);
}

void writeFile(int folder, const std::string &name, std::string_view bytes, Flush flush) {
  if (const Status written = writeFileBeside(folder, name, bytes, flush); !written)
    throw skh::Error(SKH_UNAVAILABLE, written.failure().message);
}

bool isOwnFolder(const std::string &path) noexcept {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid();
}

std::vector<std::string> namesIn(int folder) {
  std::error_code unread;
  return skillhost::namesIn(folder, unread);
}

void flushAll(const std::string &folder) {
  const Descriptor open = openFolder(folder);
  if (open) ::syncfs(open.number());
}

std::string readWhole(const std::string &path, std::size_t maxBytes) {
  return readWhole(AT_FDCWD, path, maxBytes);
}

std::string readWhole(int folder, const std::string &name, std::size_t maxBytes) {
  const Descriptor file = openAt(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  struct stat status{};
  if (!file || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::uint64_t>(status.st_size) > maxBytes)
    return {};
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.number(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

} // namespace skillhost::files
