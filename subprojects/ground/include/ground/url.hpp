// SPDX-License-Identifier: Apache-2.0
// The parts of a URL as they stand in its text (RFC 3986, appendix B), neither decoded nor checked.
// For code that inspects a URL; libcurl parses the URLs of requests.
#pragma once

#include "ground/text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct UrlParts {
  std::string_view origin;    // "https://user@host:443": everything before `rest`
  std::string_view scheme;    // "https"
  std::string_view authority; // "user@host:443"
  std::string_view rest;      // from the first '/', '?' or '#' on; may be empty
};

// Returns nothing if the text has no "://".
inline std::optional<UrlParts> urlParts(std::string_view url) noexcept {
  constexpr std::string_view mark = "://";
  const std::size_t scheme = url.find(mark);
  if (scheme == std::string_view::npos) return std::nullopt;
  const std::size_t begin = scheme + mark.size();
  const std::size_t end = std::min(url.find_first_of("/?#", begin), url.size());
  return UrlParts{url.substr(0, end), url.substr(0, scheme), url.substr(begin, end - begin),
                  url.substr(end)};
}

// Returns an authority (without a user) without its port. An IPv6 address keeps its brackets.
inline std::string_view withoutPort(std::string_view authority) noexcept {
  return authority.substr(0, authority.starts_with('[') ? authority.find(']') + 1
                                                        : authority.find(':'));
}

// Returns the URL in a form that is equal for two spellings of one server: scheme and host in lower
// case, no default port, no slash at the end. Other URLs than http and https stay as they are.
inline std::string canonicalUrl(std::string_view url) {
  const auto parts = urlParts(url);
  const std::string scheme = parts ? asciiLowered(parts->scheme) : std::string();
  if (scheme != "https" && scheme != "http") return std::string(url);
  std::string authority = asciiLowered(parts->authority);
  const std::string_view port = scheme == "https" ? ":443" : ":80";
  if (authority.ends_with(port) && withoutPort(authority).size() + port.size() == authority.size())
    authority.resize(authority.size() - port.size());
  std::string_view rest = parts->rest;
  if (rest.ends_with('/') && rest.find_first_of("?#") == std::string_view::npos)
    rest.remove_suffix(1);
  return scheme + "://" + authority + std::string(rest);
}

// True if both name the same issuer: they are equal (RFC 8414), except for the slash behind a host
// without a path, which providers and their pages add or omit.
inline bool isSameIssuer(std::string_view one, std::string_view other) {
  const auto withoutSlash = [](std::string_view url) {
    const auto parts = urlParts(url);
    return parts && parts->rest == "/" ? parts->origin : url;
  };
  return withoutSlash(one) == withoutSlash(other);
}

// Returns the first character that a plain path must not have, which is one that clients encode,
// cut off or change; empty if there is none. A plain path has unreserved characters (RFC 3986,
// section 2.3) and single slashes.
inline std::string_view notOfPlainPath(std::string_view path) noexcept {
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  const std::size_t twoSlashes = path.find("//");
  const std::size_t at = std::min(path.find_first_not_of(allowed),
                                  twoSlashes == path.npos ? path.npos : twoSlashes + 1);
  if (at == path.npos) return {};
  std::size_t end = at + 1; // the bytes behind it that belong to one character in UTF-8
  while (end < path.size() && (static_cast<unsigned char>(path[end]) & 0xC0U) == 0x80U) ++end;
  return path.substr(at, end - at);
}

} // namespace skillhost
