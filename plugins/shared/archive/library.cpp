// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include <algorithm>
#include <stdexcept>

namespace skillhost::archive {

void failOf(::archive *archive, const std::string &what) {
  const char *why = archive == nullptr ? nullptr : archive_error_string(archive);
  throw std::runtime_error(what + ": " + (why == nullptr ? "out of memory" : why));
}

la_ssize_t append(::archive * /*archive*/, void *out, const void *bytes, std::size_t size) {
  static_cast<std::string *>(out)->append(static_cast<const char *>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

bool isSafe(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (path.find('\\') != path.npos || std::any_of(path.begin(), path.end(), control)) return false;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    if (segment.empty() || segment == "." || segment == "..") return false;
    begin = end + 1;
  }
  return true;
}

} // namespace skillhost::archive
