// SPDX-License-Identifier: Apache-2.0
#include "net/listen_address.hpp"

#include <arpa/inet.h>

#include <charconv>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace skillhost {
namespace {

constexpr std::string_view unixPrefix = "unix:";

[[noreturn]] void refuse(const std::string &text, const AddressKey &key) {
  throw std::runtime_error(std::string(key.name) + ": \"" + text + "\" is no address: write " +
                           key.forms);
}

std::uint16_t portOf(std::string_view digits, const std::string &whole, const AddressKey &key) {
  std::uint16_t port = 0;
  const char *const begin = digits.data(); // NOLINT(bugprone-suspicious-stringview-data-usage)
  const char *const end = begin + digits.size();
  const auto read = std::from_chars(begin, end, port);
  if (read.ec != std::errc{} || read.ptr != end || digits.empty()) refuse(whole, key);
  return port;
}

} // namespace

HttpAddress addressOf(const std::string &text, std::optional<std::uint16_t> port,
                      const AddressKey &key) {
  HttpAddress address;
  address.port = port.value_or(0);
  if (text.starts_with(unixPrefix)) {
    address.path = text.substr(unixPrefix.size());
    if (!address.path.starts_with('/')) refuse(text, key);
    return address;
  }
  const bool bracketed = text.starts_with('[');
  const std::size_t colon = bracketed ? text.find(']') + 1 : text.find(':');
  if (bracketed && colon == 0) refuse(text, key);
  address.host = bracketed ? text.substr(1, colon - 2) : text.substr(0, colon);
  if (address.host.empty()) refuse(text, key);
  if (colon >= text.size() && !port) refuse(text, key);
  if (colon >= text.size()) return address;
  if (text[colon] != ':') refuse(text, key);
  address.port = portOf(std::string_view(text).substr(colon + 1), text, key);
  return address;
}

bool isLoopback(const HttpAddress &address) {
  if (!address.path.empty() || address.host == "localhost") return true;
  in_addr four{};
  in6_addr six{};
  if (::inet_pton(AF_INET, address.host.c_str(), &four) == 1)
    return (ntohl(four.s_addr) >> 24U) == IN_LOOPBACKNET;
  return ::inet_pton(AF_INET6, address.host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

std::string urlOf(const HttpEndpoint &endpoint, const std::string &path) {
  return (endpoint.secure ? "https://" : "http://") + endpoint.name + path;
}

} // namespace skillhost
