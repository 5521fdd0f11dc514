// SPDX-License-Identifier: Apache-2.0
#include "collisions.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <unordered_set>

#include <utf8proc.h>

namespace skillhost::paths {
namespace {

struct TextFreed {
  void operator()(utf8proc_uint8_t *text) const noexcept {
    std::free(text);
  } // NOLINT: allocated by malloc
};

bool isAscii(const std::string &text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string folded(const std::string &path) {
  std::string plain = asciiLowered(path);
  if (isAscii(plain)) return plain;
  utf8proc_uint8_t *raw = nullptr;
  const auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t *>(path.data()),
                   static_cast<utf8proc_ssize_t>(path.size()), &raw, options);
  const std::unique_ptr<utf8proc_uint8_t, TextFreed> text(raw);
  return size < 0 ? path : std::string(text.get(), text.get() + size);
}

} // namespace

std::string firstCollision(const std::vector<std::string> &paths) {
  std::unordered_set<std::string> seen;
  for (const std::string &path : paths)
    if (!seen.insert(folded(path)).second) return path;
  return {};
}

} // namespace skillhost::paths
