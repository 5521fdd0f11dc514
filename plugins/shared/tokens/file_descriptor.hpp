// SPDX-License-Identifier: Apache-2.0
// One open file, closed when the owner goes.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::tokens {

class FileDescriptor {
public:
  explicit FileDescriptor(int number) noexcept : number_(number) {}
  FileDescriptor(const FileDescriptor &) = delete;
  FileDescriptor &operator=(const FileDescriptor &) = delete;
  ~FileDescriptor();

  int number() const noexcept { return number_; }
  bool open() const noexcept { return number_ >= 0; }
  // From where it stands to its end, at most `limit` bytes. Both throw std::system_error.
  std::string readAll(std::size_t limit) const;
  void writeAll(std::string_view bytes) const;

private:
  int number_;
};

} // namespace skillhost::tokens
