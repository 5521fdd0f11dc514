// SPDX-License-Identifier: Apache-2.0
#include "http_client/url.hpp"

#include "ground/url.hpp"

#include <algorithm>
#include <array>

namespace skillhost::web {
namespace {

constexpr std::size_t maxUrlBytes = 2'048;
constexpr std::string_view httpsScheme = "https://";
constexpr std::string_view httpScheme = "http://";

bool isLoopback(std::string_view authority) {
  constexpr std::array<std::string_view, 3> hosts{"127.0.0.1", "[::1]", "localhost"};
  return std::any_of(hosts.begin(), hosts.end(), [&](std::string_view host) {
    return authority == host || (authority.starts_with(host) && authority[host.size()] == ':');
  });
}

} // namespace

std::string_view originOf(std::string_view url) {
  const auto parts = urlParts(url);
  return parts ? parts->origin : std::string_view{};
}

std::string formEncoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view unreserved =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string encoded;
  encoded.reserve(text.size() * 3); // avoids copies of a secret in freed memory
  for (const char character : text) {
    if (unreserved.find(character) != unreserved.npos) {
      encoded += character;
      continue;
    }
    const auto byte = static_cast<unsigned char>(character);
    encoded.append(1, '%').append(1, digits[byte >> 4U]).append(1, digits[byte & 15U]);
  }
  return encoded;
}

std::string_view withoutQuery(std::string_view url) { return url.substr(0, url.find('?')); }

bool isAllowedUrl(std::string_view url) {
  const auto isForbidden = [](char c) {
    return c <= ' ' || c > '~' || c == '\\' || c == '#' || c == '"';
  };
  if (url.size() > maxUrlBytes || std::any_of(url.begin(), url.end(), isForbidden)) return false;
  const std::string_view origin = originOf(url);
  const bool isSecure = origin.starts_with(httpsScheme);
  if (!isSecure && !origin.starts_with(httpScheme)) return false;
  const std::string_view authority =
      origin.substr(isSecure ? httpsScheme.size() : httpScheme.size());
  if (authority.empty() || authority.front() == ':' || authority.find('@') != authority.npos)
    return false;
  return isSecure || isLoopback(authority);
}

} // namespace skillhost::web
