// SPDX-License-Identifier: Apache-2.0
#include "durable_file.hpp"

#include <skillhost/plugin.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace skillhost::github {
namespace {

// A file or folder that is open until the end of its scope; fails by exception.
class OpenFile {
public:
  OpenFile(const std::string &path, int flags)
      : path_(path), number_(::open(path.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    if (number_ < 0) fail();
  }
  ~OpenFile() { ::close(number_); }
  OpenFile(const OpenFile &) = delete;
  OpenFile &operator=(const OpenFile &) = delete;

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(number_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void flush() const {
    if (::fsync(number_) != 0) fail();
  }

private:
  [[noreturn]] void fail() const {
    throw skh::Error(SKH_UNAVAILABLE, path_ + ": cannot be written: " + std::strerror(errno));
  }

  const std::string &path_;
  int number_;
};

} // namespace

void replaceFile(const std::string &path, std::string_view bytes) {
  const std::string beside = path + ".new";
  {
    const OpenFile file(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    file.write(bytes);
    file.flush();
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0)
    throw skh::Error(SKH_UNAVAILABLE, path + ": cannot be written: " + std::strerror(errno));
  const std::string above = path.substr(0, path.rfind('/'));
  const OpenFile folder(above, O_RDONLY | O_DIRECTORY);
  folder.flush();
}

} // namespace skillhost::github
