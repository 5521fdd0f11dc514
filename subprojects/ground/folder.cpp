// SPDX-License-Identifier: Apache-2.0
#include "ground/folder.hpp"

#include <dirent.h>

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

} // namespace

std::vector<std::string> namesIn(const std::string &folder, std::error_code &error,
                                 std::size_t most) {
  error.clear();
  std::vector<std::string> names;
  const std::unique_ptr<DIR, Closer> open(::opendir(folder.c_str()));
  if (!open) {
    error = lastError();
    return names;
  }
  while (names.size() < most) {
    errno = 0; // the end of the folder leaves it as it is
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

} // namespace skillhost
