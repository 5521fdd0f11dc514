// SPDX-License-Identifier: Apache-2.0
// One open file, closed when the owner goes.
#pragma once

#include <unistd.h>

#include <utility>

namespace skillhost::store {

class FileDescriptor {
public:
  explicit FileDescriptor(int number = -1) noexcept : number_(number) {}
  FileDescriptor(FileDescriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ >= 0; }

private:
  int number_;
};

} // namespace skillhost::store
