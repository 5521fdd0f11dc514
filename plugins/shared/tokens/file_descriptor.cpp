// SPDX-License-Identifier: Apache-2.0
#include "file_descriptor.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace skillhost::tokens {

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) ::close(number_);
}

std::string FileDescriptor::readAll(std::size_t limit) const {
  std::string bytes;
  std::array<char, 16'384> piece{};
  for (;;) {
    const ssize_t got = ::read(number_, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::system_error(errno, std::generic_category(), "cannot be read");
    if (got == 0) return bytes;
    bytes.append(piece.data(), static_cast<std::size_t>(got));
    if (bytes.size() > limit)
      throw std::system_error(EFBIG, std::generic_category(), "cannot be read");
  }
}

void FileDescriptor::writeAll(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(number_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::system_error(errno, std::generic_category(), "cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

} // namespace skillhost::tokens
