// SPDX-License-Identifier: Apache-2.0
#include "skillmd/naming.hpp"

#include "ground/hexadecimal.hpp"

namespace skillhost {
namespace {

bool plain(char c) noexcept {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  // All characters that RFC 3986 allows in a path, except quotes and brackets, which end a link in
  // Markdown.
  return std::string_view("-._~!$&*+,;=:@/").find(c) != std::string_view::npos;
}

} // namespace

std::string encodePath(std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  out.reserve(path.size());
  for (const char c : path) {
    if (plain(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

std::optional<std::string> decodePath(std::string_view path) {
  if (path.size() > maxUriBytes) return std::nullopt;
  std::string out;
  out.reserve(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '%') {
      out += path[i];
      continue;
    }
    if (i + 2 >= path.size()) return std::nullopt;
    const int high = hexadecimalDigit(path[i + 1]), low = hexadecimalDigit(path[i + 2]);
    if (high < 0 || low < 0 || (high == 0 && low == 0)) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

std::string skillUri(std::string_view source, std::string_view path, std::string_view name) {
  std::string uri(skillScheme);
  uri += source;
  uri += '/';
  uri += encodePath(path);
  const std::string_view folder = path.substr(path.rfind('/') + 1);
  // Clients resolve dots before they ask, and would then ask for another skill's file.
  const bool segment = name != "." && name != ".." && name.find('/') == std::string_view::npos;
  if (folder != name && segment) {
    uri += '/';
    uri += encodePath(name);
  }
  return uri;
}

} // namespace skillhost
