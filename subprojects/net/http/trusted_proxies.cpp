// SPDX-License-Identifier: Apache-2.0
#include "net/trusted_proxies.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace skillhost {
namespace {

constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr std::size_t mappedBits = 96;

bool sameBits(const IpAddress &a, const IpAddress &b, std::size_t bits) noexcept {
  const std::size_t whole = bits / 8, rest = bits % 8;
  if (!std::equal(a.bytes.begin(), a.bytes.begin() + static_cast<std::ptrdiff_t>(whole),
                  b.bytes.begin()))
    return false;
  return rest == 0 || ((a.bytes[whole] ^ b.bytes[whole]) >> (8 - rest)) == 0;
}

} // namespace

std::optional<IpAddress> IpAddress::of(std::string_view text) {
  const std::string whole(text); // inet_pton() needs a terminated string
  if (whole.find('\0') != std::string::npos) return std::nullopt;
  std::array<std::uint8_t, 4> four{};
  if (::inet_pton(AF_INET, whole.c_str(), four.data()) == 1) return ofFour(four.data());
  IpAddress address;
  if (::inet_pton(AF_INET6, whole.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

IpAddress IpAddress::ofFour(const std::uint8_t *four) noexcept {
  IpAddress address;
  std::copy(mapped.begin(), mapped.end(), address.bytes.begin());
  std::copy(four, four + 4, address.bytes.begin() + mapped.size());
  return address;
}

bool IpAddress::isFour() const noexcept {
  return std::equal(mapped.begin(), mapped.end(), bytes.begin());
}

std::string IpAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> room{};
  if (isFour())
    ::inet_ntop(AF_INET, bytes.data() + mapped.size(), room.data(), room.size());
  else
    ::inet_ntop(AF_INET6, bytes.data(), room.data(), room.size());
  return room.data();
}

std::string IpAddress::withPort(std::uint16_t port) const {
  return (isFour() ? text() : '[' + text() + ']') + ':' + std::to_string(port);
}

Result<TrustedProxies> TrustedProxies::of(const std::vector<std::string> &texts) {
  TrustedProxies proxies;
  for (const std::string &text : texts) {
    if (text == "unix") {
      proxies.unix_ = true;
      continue;
    }
    const Failure wrong{Fault::InvalidInput,
                        '"' + text +
                            "\" is no address or network: write for instance 10.0.0.7, "
                            "10.0.0.0/8, 2001:db8::/32, or unix for the unix sockets"};
    const std::size_t slash = std::min(text.find('/'), text.size());
    const auto address = IpAddress::of(std::string_view(text).substr(0, slash));
    if (!address) return wrong;
    const std::size_t most = address->isFour() ? 32 : 128;
    std::size_t bits = most;
    if (slash < text.size()) {
      const char *const begin = text.c_str() + slash + 1, *const end = text.c_str() + text.size();
      const auto read = std::from_chars(begin, end, bits);
      if (read.ec != std::errc{} || read.ptr != end || bits > most) return wrong;
    }
    proxies.networks_.push_back({*address, address->isFour() ? bits + mappedBits : bits});
  }
  return proxies;
}

bool TrustedProxies::trusts(const IpAddress &address) const noexcept {
  return std::any_of(networks_.begin(), networks_.end(), [&](const Network &network) {
    return sameBits(network.address, address, network.bits);
  });
}

} // namespace skillhost
