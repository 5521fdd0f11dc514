// SPDX-License-Identifier: Apache-2.0
#include "whole_file.hpp"

#include <skillhost/plugin.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace skillhost::files {
namespace {

constexpr const char *beingWritten = ".new.";

// A file or folder that is open until the end of its scope.
class OpenFile {
public:
  OpenFile(const std::string &path, int flags)
      : number_(::open(path.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)) {}
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile &) = delete;
  OpenFile &operator=(const OpenFile &) = delete;

  bool isOpen() const noexcept { return number_ >= 0; }
  int number() const noexcept { return number_; }
  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(number_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

private:
  int number_;
};

[[noreturn]] void fail(const std::string &path) {
  throw skh::Error(SKH_UNAVAILABLE, path + ": cannot be written: " + std::strerror(errno));
}

} // namespace

void writeFile(const std::string &path, std::string_view bytes, Flush flush) {
  static std::atomic<unsigned> written{0};
  const std::string beside =
      path + beingWritten + std::to_string(::getpid()) + "." + std::to_string(written.fetch_add(1));
  {
    const OpenFile file(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (!file.isOpen()) fail(path);
    if (!file.write(bytes) || (flush == Flush::now && ::fsync(file.number()) != 0)) {
      const int why = errno;
      ::unlink(beside.c_str());
      errno = why;
      fail(path);
    }
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    const int why = errno;
    ::unlink(beside.c_str());
    errno = why;
    fail(path);
  }
  if (flush == Flush::later) return;
  const OpenFile folder(path.substr(0, path.rfind('/')), O_RDONLY | O_DIRECTORY);
  if (folder.isOpen()) ::fsync(folder.number());
}

void removeRemains(const std::string &folder) {
  constexpr std::chrono::hours old{1}; // nobody writes for so long
  std::error_code error;
  const auto now = std::filesystem::file_time_type::clock::now();
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    if (at->path().filename().string().find(beingWritten) != std::string::npos &&
        now - at->last_write_time(gone) > old && !gone)
      std::filesystem::remove(at->path(), gone);
  }
}

void flushAll(const std::string &folder) {
  const OpenFile open(folder, O_RDONLY | O_DIRECTORY);
  if (open.isOpen()) ::syncfs(open.number());
}

std::string readWhole(const std::string &path, std::size_t most) {
  const OpenFile file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  struct stat status{};
  if (!file.isOpen() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::uint64_t>(status.st_size) > most)
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
