// SPDX-License-Identifier: Apache-2.0
// Maps a part of a file into memory, for reading. Processes that map the same file share its
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace skillhost {

// The file must not be made shorter while it is mapped: the process would end by the signal SIGBUS.
// It may be removed. Any thread may read the bytes.
class MappedFile {
public:
  // Maps `size` bytes from `offset`, which need not begin a page. Throws std::system_error, also if
  // the file is shorter. The descriptor may be closed afterwards.
  MappedFile(int descriptor, std::uint64_t offset, std::size_t size);
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile();
  std::string_view bytes() const noexcept { return bytes_; }
  // Tells the kernel that the bytes are not needed soon: they no longer count as memory of the
  // process until they are read again.
  void release() const noexcept;

private:
  void *begin_ = nullptr; // of the first page
  std::size_t length_ = 0;
  std::string_view bytes_;
};

} // namespace skillhost
