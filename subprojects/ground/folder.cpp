// SPDX-License-Identifier: Apache-2.0
#include "ground/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>
#include <string_view>

namespace skillhost {
namespace {

struct Closer {
  void operator()(DIR *open) const noexcept { ::closedir(open); }
};

std::error_code lastError() {
  if (errno == ENOMEM) throw std::bad_alloc();
  return {errno, std::generic_category()};
}

// Closes `folder`. If it is null, errno says why.
std::vector<std::string> namesOf(DIR *folder, std::error_code &error, std::size_t maxNames) {
  error.clear();
  std::vector<std::string> names;
  const std::unique_ptr<DIR, Closer> open(folder);
  if (!open) {
    error = lastError();
    return names;
  }
  while (names.size() < maxNames) {
    errno = 0; // readdir() leaves it unchanged at the end of the folder
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread has this folder
    const dirent *const entry = ::readdir(open.get());
    if (entry == nullptr) {
      if (errno != 0) error = lastError();
      break;
    }
    const std::string_view name(static_cast<const char *>(entry->d_name));
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

} // namespace

std::vector<std::string> namesIn(const std::string &folder, std::error_code &error,
                                 std::size_t maxNames) {
  return namesOf(::opendir(folder.c_str()), error, maxNames);
}

std::vector<std::string> namesIn(int folder, std::error_code &error, std::size_t maxNames) {
  const int own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *const open = own < 0 ? nullptr : ::fdopendir(own);
  if (open == nullptr && own >= 0) ::close(own);
  return namesOf(open, error, maxNames);
}

} // namespace skillhost
