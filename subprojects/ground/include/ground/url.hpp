// SPDX-License-Identifier: Apache-2.0
// The parts of a URL as they stand in its text (RFC 3986, appendix B): nothing is decoded, and
// nothing checked. For who has to look at a URL; libcurl reads the ones that are asked.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

namespace skillhost {

struct UrlParts {
  std::string_view origin;    // "https://user@host:443": what comes before the rest
  std::string_view scheme;    // "https"
  std::string_view authority; // "user@host:443"
  std::string_view rest;      // from the first '/', '?' or '#' on; empty: there is none
};

// Nothing when it has no "://".
inline std::optional<UrlParts> urlParts(std::string_view url) noexcept {
  constexpr std::string_view mark = "://";
  const std::size_t scheme = url.find(mark);
  if (scheme == std::string_view::npos) return std::nullopt;
  const std::size_t begin = scheme + mark.size();
  const std::size_t end = std::min(url.find_first_of("/?#", begin), url.size());
  return UrlParts{url.substr(0, end), url.substr(0, scheme), url.substr(begin, end - begin),
                  url.substr(end)};
}

// Of an authority without a user: an IPv6 address keeps its brackets.
inline std::string_view withoutPort(std::string_view authority) noexcept {
  return authority.substr(0, authority.starts_with('[') ? authority.find(']') + 1
                                                        : authority.find(':'));
}

} // namespace skillhost
