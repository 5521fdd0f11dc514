// SPDX-License-Identifier: Apache-2.0
#include "base/http.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace skillhost {
namespace {

bool isPort(std::string_view text) {
  unsigned port = 0;
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return text.empty() ||
         (error == std::errc{} && last == text.data() + text.size() && port <= 65'535);
}

bool consistsOf(std::string_view text, std::string_view further) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           further.find(c) != std::string_view::npos;
  });
}

} // namespace

bool isAuthority(std::string_view text) noexcept {
  if (!text.starts_with('[')) {
    const std::size_t colon = text.find(':');
    return consistsOf(text.substr(0, colon), "-._~") &&
           (colon == std::string_view::npos || isPort(text.substr(colon + 1)));
  }
  const std::size_t close = text.find(']');
  if (close == std::string_view::npos || !consistsOf(text.substr(1, close - 1), ":.")) return false;
  const std::string_view rest = text.substr(close + 1);
  return rest.empty() || (rest.starts_with(':') && isPort(rest.substr(1)));
}

} // namespace skillhost
