// SPDX-License-Identifier: Apache-2.0
#include "ground/process.hpp"

#include <dirent.h>
#include <malloc.h>
#include <unistd.h>

#include <fstream>

namespace skillhost {
namespace {

// The iterator of std::filesystem would end the process when memory is short.
std::size_t entriesOf(const char *folder) noexcept {
  DIR *const open = ::opendir(folder);
  if (open == nullptr) return 0;
  std::size_t count = 0;
  while (const dirent *const entry = ::readdir(open))
    if (entry->d_name[0] != '.') ++count;
  ::closedir(open);
  return count;
}

} // namespace

std::size_t residentBytes() noexcept {
  try {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  } catch (...) {
    return 0;
  }
}

void giveBackMemory() noexcept {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

ProcessFigures processFigures() noexcept {
  try {
    const std::size_t open = entriesOf("/proc/self/fd");
    // The directory that is being read is open, too.
    return {residentBytes(), open == 0 ? 0 : open - 1, entriesOf("/proc/self/task")};
  } catch (...) {
    return {};
  }
}

} // namespace skillhost
