// SPDX-License-Identifier: Apache-2.0
#include "directory_entries.hpp"

#include <dirent.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace skillhost::filesystem {

// Uses the system call, because readdir(3) would allocate 32 KiB for every folder.
int readEntries(int folder, std::vector<DirectoryEntry> &entries) {
  alignas(dirent64) std::array<char, 16'384> buffer; // filled by the system as far as it is read
  entries.clear();
  while (true) {
    const ssize_t size = ::getdents64(folder, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno;
    if (size == 0) return 0;
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      const char *const record = buffer.data() + at;
      unsigned short length = 0;
      std::memcpy(&length, record + offsetof(dirent64, d_reclen), sizeof length);
      const auto type = static_cast<unsigned char>(record[offsetof(dirent64, d_type)]);
      const std::string_view name = record + offsetof(dirent64, d_name);
      if (name != "." && name != "..") entries.push_back({std::string(name), type});
      at += length;
    }
  }
}

} // namespace skillhost::filesystem
