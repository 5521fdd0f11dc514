// SPDX-License-Identifier: Apache-2.0
// Only this source includes utf8proc.
#include "names.hpp"

#include "ground/text.hpp"
#include "limits.hpp"
#include "problem.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace skillhost::store {
namespace {

struct Free {
  void operator()(utf8proc_uint8_t *text) const { std::free(text); } // the library requires free()
};

const utf8proc_uint8_t *unsignedBytes(std::string_view text) {
  return reinterpret_cast<const utf8proc_uint8_t *>(text.data());
}

bool isPlainAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7F; });
}

// True if the text has no control or format characters, surrogates or line separators.
bool isPrintable(std::string_view text) {
  if (isPlainAscii(text)) return true;
  while (!text.empty()) {
    utf8proc_int32_t character = 0;
    const utf8proc_ssize_t size = utf8proc_iterate(
        unsignedBytes(text), static_cast<utf8proc_ssize_t>(text.size()), &character);
    if (size <= 0) return false;
    switch (utf8proc_category(character)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return false;
    default:
      text.remove_prefix(static_cast<std::size_t>(size));
    }
  }
  return true;
}

} // namespace

std::string faultInName(std::string_view name) {
  if (name.empty()) return "must not be empty";
  if (name.size() > maxNameBytes) return "must have at most 64 bytes";
  if (name.find_first_of("/\\.") != name.npos) return "must have no slash, backslash or dot";
  if (name.front() == ' ' || name.back() == ' ') return "must not begin or end with a blank";
  if (!isPrintable(name)) return "must be UTF-8 without control and invisible characters";
  return {};
}

std::string faultInPath(std::string_view path) {
  if (path.empty() || path.size() > maxPathBytes) return "must have 1 to 1024 bytes";
  if (path.find('\\') != path.npos) return "must have no backslash";
  if (!isPrintable(path)) return "must be UTF-8 without control and invisible characters";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    if (segment.empty() || segment == "." || segment == "..")
      return R"(must be relative, without empty segments, "." and "..")";
    begin = end + 1;
  }
  return {};
}

std::string folded(std::string_view name) {
  if (isPlainAscii(name)) return asciiLowered(name);
  utf8proc_uint8_t *made = nullptr;
  constexpr auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  const utf8proc_ssize_t size =
      utf8proc_map(unsignedBytes(name), static_cast<utf8proc_ssize_t>(name.size()), &made, options);
  const std::unique_ptr<utf8proc_uint8_t, Free> owner(made);
  if (size < 0) throw StoreError(Problem::Refused, "a name is not UTF-8");
  return {made, made + size};
}

} // namespace skillhost::store
