// SPDX-License-Identifier: Apache-2.0
#include "base/network_rule.hpp"

#include "ground/text.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>

namespace skillhost {
namespace {

constexpr std::size_t maxHostNameBytes = 253, maxLabelBytes = 63;
constexpr unsigned mappedBits = 96; // before an IPv4 address

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isLabel(std::string_view label) {
  return !label.empty() && label.size() <= maxLabelBytes &&
         std::all_of(label.begin(), label.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || isDigit(c) || c == '-' || c == '_';
         });
}

// If the last part is a number in any base, a resolver reads the name as an address.
bool looksNumeric(std::string_view label) {
  return std::all_of(label.begin(), label.end(), isDigit) || label.starts_with("0x");
}

bool isName(std::string_view text) {
  if (text.empty() || text.size() > maxHostNameBytes) return false;
  for (;;) {
    const std::size_t dot = text.find('.');
    const std::string_view label = text.substr(0, dot);
    if (!isLabel(label)) return false;
    if (dot == std::string_view::npos) return !looksNumeric(label);
    text.remove_prefix(dot + 1);
  }
}

std::optional<AddressBytes> addressFour(const std::string &text) {
  std::array<std::uint8_t, 4> four{};
  if (::inet_pton(AF_INET, text.c_str(), four.data()) != 1) return std::nullopt;
  return mappedAddress(four.data());
}

std::optional<AddressBytes> addressSix(const std::string &text) {
  AddressBytes bytes{};
  if (::inet_pton(AF_INET6, text.c_str(), bytes.data()) != 1) return std::nullopt;
  return bytes;
}

std::string addressText(const AddressBytes &address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (isMappedAddress(address))
    ::inet_ntop(AF_INET, &address[12], text.data(), text.size());
  else
    ::inet_ntop(AF_INET6, address.data(), text.data(), text.size());
  return text.data();
}

std::optional<unsigned> number(std::string_view text, unsigned maximum) {
  unsigned value = 0;
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || last != text.data() + text.size() || value > maximum)
    return std::nullopt;
  return value;
}

// 0 in a pattern stands for the two usual ports.
bool isPort(std::uint16_t allowed, std::uint16_t requested) {
  return allowed == 0 ? requested == 80 || requested == 443 : requested == allowed;
}

Failure wrong(std::string_view text, const std::string &why) {
  return {Fault::InvalidInput, "\"" + std::string(text.substr(0, 100)) + "\" " + why};
}

std::optional<std::uint16_t> portNumber(std::string_view text) {
  const std::optional<unsigned> port = number(text, 65'535);
  return port && *port != 0 ? std::optional(static_cast<std::uint16_t>(*port)) : std::nullopt;
}

// Parses the address, its length in bits and an optional port from "10.0.0.0/8:8080" or
// "2001:db8::/32".
Result<HostPattern> parseNetwork(const std::string &text, std::size_t slash) {
  std::string start = text.substr(0, slash);
  if (start.starts_with('[') && start.ends_with(']')) start = start.substr(1, start.size() - 2);
  const std::string_view rest = std::string_view(text).substr(slash + 1);
  const std::size_t colon = rest.find(':');
  const std::optional<AddressBytes> four = addressFour(start);
  const std::optional<AddressBytes> address = four ? four : addressSix(start);
  const std::optional<unsigned> bits = number(rest.substr(0, colon), four ? 32 : 128);
  const std::optional<std::uint16_t> port =
      colon == std::string_view::npos ? 0 : portNumber(rest.substr(colon + 1));
  if (!address || !bits || !port)
    return wrong(text, "is no network: write for instance 10.0.0.0/8 or fd00::/8");
  HostPattern pattern;
  pattern.text = text;
  pattern.network = *address;
  pattern.bits = *bits + (four ? mappedBits : 0);
  pattern.port = *port;
  return pattern;
}

} // namespace

std::optional<HostName> HostName::of(std::string_view text) {
  HostName host;
  host.text = asciiLowered(text);
  if (host.text.starts_with('[')) {
    if (!host.text.ends_with(']')) return std::nullopt;
    host.address = addressSix(host.text.substr(1, host.text.size() - 2));
    if (!host.address) return std::nullopt;
  } else {
    host.address = addressFour(host.text);
    if (!host.address && host.text.ends_with('.')) host.text.pop_back();
    if (!host.address && !isName(host.text)) return std::nullopt;
  }
  if (host.address) host.text = addressText(*host.address);
  return host;
}

Result<HostPattern> HostPattern::parse(std::string_view entry) {
  const std::string text = asciiLowered(entry);
  if (text == "*") return wrong(entry, "is every host: write network: auto");
  if (text.find("://") != std::string::npos)
    return wrong(entry, "is a URL: write its host alone, such as api.github.com");
  if (const std::size_t slash = text.find('/'); slash != std::string::npos)
    return parseNetwork(text, slash);
  HostPattern pattern;
  pattern.text = text;
  std::string_view host = text;
  const std::size_t close = text.starts_with('[') ? text.find(']') : 0;
  const std::size_t colon = close == std::string::npos ? close : text.find(':', close);
  if (colon != std::string::npos) {
    if (text.find(':', colon + 1) != std::string::npos)
      return wrong(entry, "is not a host: an IPv6 address stands in brackets");
    const std::optional<std::uint16_t> port = portNumber(host.substr(colon + 1));
    if (!port) return wrong(entry, "has no port from 1 to 65535 after its colon");
    pattern.port = *port;
    host = host.substr(0, colon);
  }
  const bool below = host.starts_with("*.");
  const std::optional<HostName> named = HostName::of(below ? host.substr(2) : host);
  if (!named || (below && named->address))
    return wrong(entry, "is no host: write a name (api.github.com), all below one "
                        "(*.example.org), an address or a network (10.0.0.0/8), names with other "
                        "letters as xn--…");
  if (named->address) {
    pattern.network = *named->address;
    pattern.bits = 128;
  } else {
    pattern.name = (below ? "." : "") + named->text;
  }
  return pattern;
}

bool HostPattern::names(const HostName &host, std::uint16_t requested) const {
  if (name.empty()) return host.address && holds(*host.address, requested);
  if (host.address || !isPort(port, requested)) return false;
  if (name.front() != '.') return host.text == name;
  return host.text.size() > name.size() && host.text.ends_with(name);
}

bool HostPattern::holds(const AddressBytes &address, std::uint16_t requested) const {
  if (!name.empty() || !isPort(port, requested)) return false;
  for (unsigned bit = 0; bit < bits; ++bit) {
    const unsigned mask = 0x80U >> (bit % 8);
    if (((address[bit / 8] ^ network[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

bool NetworkRule::names(const HostName &host, std::uint16_t port) const {
  if (mode != Mode::Hosts) return mode == Mode::Auto;
  return std::any_of(hosts.begin(), hosts.end(),
                     [&](const HostPattern &one) { return one.names(host, port); });
}

bool NetworkRule::reaches(const AddressBytes &address, std::uint16_t port) const {
  if (mode != Mode::Hosts) return mode == Mode::Auto;
  return isPublicAddress(address) ||
         std::any_of(hosts.begin(), hosts.end(),
                     [&](const HostPattern &one) { return one.holds(address, port); });
}

std::string NetworkRule::text() const {
  if (mode != Mode::Hosts) return mode == Mode::Auto ? "auto" : "none";
  std::string all;
  for (const HostPattern &one : hosts) all += (all.empty() ? "" : ", ") + one.text;
  return all;
}

} // namespace skillhost
