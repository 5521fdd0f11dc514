// SPDX-License-Identifier: Apache-2.0
#include "lines_file.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

LinesFile::LinesFile(std::string path) : path_(std::move(path)) { open(); }

LinesFile::~LinesFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void LinesFile::open() {
  const int opened = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (opened < 0) throw std::system_error(errno, std::generic_category(), path_);
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = opened;
}

bool LinesFile::wasMoved() const {
  struct stat ours{}, there{};
  return ::fstat(descriptor_, &ours) == 0 &&
         (::stat(path_.c_str(), &there) != 0 || ours.st_ino != there.st_ino ||
          ours.st_dev != there.st_dev);
}

void LinesFile::append(std::string_view lines) {
  if (lines.empty()) return;
  if (wasMoved()) open();
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  while (!lines.empty()) {
    const ssize_t written = ::write(descriptor_, lines.data(), lines.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const std::system_error why(errno, std::generic_category(), path_);
      // A partial line would spoil the next one. If the file cannot be truncated either, nothing
      // more can be done.
      if (before >= 0 && ::ftruncate(descriptor_, before) != 0) throw why;
      throw why;
    }
    lines.remove_prefix(static_cast<std::size_t>(written));
  }
}
