// SPDX-License-Identifier: Apache-2.0
// FileDescriptor: an open file of the system, closed by its one owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace skillhost::beneath {

class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) noexcept : number_(number) {}
  FileDescriptor(FileDescriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  FileDescriptor(const FileDescriptor &) = delete;
  FileDescriptor &operator=(const FileDescriptor &) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int get() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ >= 0; }

private:
  int number_ = -1;
};

} // namespace skillhost::beneath
