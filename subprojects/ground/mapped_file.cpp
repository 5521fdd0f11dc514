// SPDX-License-Identifier: Apache-2.0
#include "ground/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace skillhost {

MappedFile::MappedFile(int descriptor, std::uint64_t offset, std::size_t size) {
  struct stat info{};
  if (::fstat(descriptor, &info) != 0)
    throw std::system_error(errno, std::generic_category(), "fstat");
  const auto whole = static_cast<std::uint64_t>(info.st_size);
  if (offset > whole || size > whole - offset)
    throw std::system_error(std::make_error_code(std::errc::invalid_argument),
                            "the file is too short");
  if (size == 0) return;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto before = static_cast<std::size_t>(offset % page);
  void *const begin = ::mmap(nullptr, before + size, PROT_READ, MAP_PRIVATE, descriptor,
                             static_cast<off_t>(offset - before));
  if (begin == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  begin_ = begin;
  length_ = before + size;
  bytes_ = {static_cast<const char *>(begin) + before, size};
}

MappedFile::~MappedFile() {
  if (begin_ != nullptr) ::munmap(begin_, length_);
}

void MappedFile::release() const noexcept {
  if (begin_ != nullptr) ::madvise(begin_, length_, MADV_DONTNEED);
}

} // namespace skillhost
