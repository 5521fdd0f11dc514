// SPDX-License-Identifier: Apache-2.0
#include "board.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace skillhost::check {
namespace {

BoardData *map(int descriptor) {
  void *const memory =
      ::mmap(nullptr, sizeof(BoardData), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "shared memory");
  return static_cast<BoardData *>(memory);
}

} // namespace

Board::Board() : descriptor_(::memfd_create("skillhost-check", MFD_CLOEXEC)) {
  if (descriptor_ < 0 || ::ftruncate(descriptor_, sizeof(BoardData)) != 0)
    throw std::system_error(errno, std::generic_category(), "shared memory");
  data_ = map(descriptor_);
}

Board::Board(int descriptor) : data_(map(descriptor)) { ::close(descriptor); }

Board::~Board() {
  ::munmap(data_, sizeof(BoardData));
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string textOf(std::span<const char> field) {
  return {field.begin(), std::find(field.begin(), field.end(), '\0')};
}

void put(std::span<char> field, std::string_view text) noexcept {
  const std::string_view cut = cutUtf8(text, field.size() - 1);
  *std::copy(cut.begin(), cut.end(), field.begin()) = '\0';
}

} // namespace skillhost::check
