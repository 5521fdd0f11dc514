// SPDX-License-Identifier: Apache-2.0
#include "address.hpp"

#include <algorithm>
#include <charconv>

namespace skillhost::valkey {
namespace {

constexpr std::size_t maxHostBytes = 253, maxPathBytes = 107; // limits of DNS and of sockaddr_un

std::optional<std::uint16_t> readPort(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

bool couldBeHost(std::string_view text) {
  const auto isFine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= maxHostBytes && std::ranges::all_of(text, isFine);
}

bool couldBeVersion6(std::string_view text) {
  const auto isFine = [](char c) {
    return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') || c == ':' ||
           c == '.';
  };
  return text.find(':') != text.npos && text.size() <= 45 && std::ranges::all_of(text, isFine);
}

std::optional<Address> readPath(std::string_view text) {
  if (text.size() > maxPathBytes || text.find('\0') != text.npos) return std::nullopt;
  return Address{std::string(text), 0};
}

} // namespace

std::string Address::text() const {
  if (isPath()) return host;
  const bool isVersion6 = host.find(':') != host.npos;
  return (isVersion6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::optional<Address> readAddress(std::string_view text, std::uint16_t fallbackPort) {
  if (text.starts_with("unix:/")) text.remove_prefix(5);
  if (text.starts_with('/')) return readPath(text);
  std::string_view host = text, port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos) return std::nullopt;
    host = text.substr(1, end - 1);
    port = text.substr(end + 1);
    if (!couldBeVersion6(host)) return std::nullopt;
  } else {
    host = text.substr(0, text.find(':'));
    port = text.substr(host.size());
    if (!couldBeHost(host)) return std::nullopt;
  }
  if (port.empty()) return Address{std::string(host), fallbackPort};
  const auto number = port.front() == ':' ? readPort(port.substr(1)) : std::nullopt;
  if (!number) return std::nullopt;
  return Address{std::string(host), *number};
}

} // namespace skillhost::valkey
