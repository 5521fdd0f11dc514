// SPDX-License-Identifier: Apache-2.0
#include "ground/process.hpp"

#include <malloc.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace skillhost {
namespace {

std::size_t entriesOf(const char *directory) {
  std::error_code error;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error))
    ++count;
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
    // The directory that is being read is open too.
    return {residentBytes(), open == 0 ? 0 : open - 1, entriesOf("/proc/self/task")};
  } catch (...) {
    return {};
  }
}

} // namespace skillhost
