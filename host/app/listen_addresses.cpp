// SPDX-License-Identifier: Apache-2.0
#include "listen_addresses.hpp"

#include "ground/text.hpp"
#include "ground/url.hpp"
#include "net/listen_address.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

constexpr AddressKey httpListen{"http.listen", "HOST, HOST:PORT, [V6]:PORT, unix:/PATH or systemd"};

std::vector<std::string> lowered(std::vector<std::string> texts) {
  for (std::string &text : texts) text = asciiLowered(text);
  return texts;
}

// Returns the host of "https://host:port/path", in lower case, an IPv6 address with its brackets.
std::string hostOf(std::string_view url) {
  const auto parts = urlParts(url);
  return parts ? asciiLowered(withoutPort(parts->authority)) : std::string();
}

} // namespace

HttpSettings httpSettings(const Configuration &configuration) {
  const HttpConfiguration &from = configuration.http;
  if (!from.path.starts_with('/'))
    throw std::runtime_error("http.path: \"" + from.path + "\" must begin with a slash");
  if (const std::string_view wrong = notOfPlainPath(from.path); !wrong.empty())
    throw std::runtime_error("http.path: \"" + from.path + "\" must not have \"" +
                             std::string(wrong) + "\" at character " +
                             std::to_string(wrong.data() - from.path.data() + 1) +
                             ": write letters, digits, -, ., _, ~ and single slashes");
  if (from.tlsCertificate.has_value() != from.tlsKey.has_value())
    throw std::runtime_error("http.tls_certificate and http.tls_key need each other: set both");
  HttpSettings settings;
  for (const std::string &one : from.listen)
    if (one == "systemd")
      settings.usesSystemdSockets = true;
    else
      settings.addresses.push_back(
          addressOf(one, static_cast<std::uint16_t>(from.port), httpListen));
  settings.certificateFile = from.tlsCertificate.value_or("");
  settings.keyFile = from.tlsKey.value_or("");
  Result<TrustedProxies> proxies = TrustedProxies::of(from.trustedProxies);
  if (!proxies) throw std::runtime_error("http.trusted_proxies: " + proxies.failure().message);
  settings.trustedProxies = *std::move(proxies);
  if (from.proxyProtocol && settings.trustedProxies.empty())
    throw std::runtime_error("http.proxy_protocol is only taken from trusted proxies: name them in "
                             "http.trusted_proxies");
  if (from.tlsClientCa && !from.tlsCertificate)
    throw std::runtime_error("http.tls_client_ca is for TLS: name http.tls_certificate and "
                             "http.tls_key too");
  const AuthConfiguration &auth = configuration.auth;
  if (!auth.headers.empty() && auth.headersFrom == HeadersFrom::Proxies &&
      settings.trustedProxies.empty())
    throw std::runtime_error("auth.headers are taken from trusted proxies: name them in "
                             "http.trusted_proxies, or set auth.headers_from to anyone");
  settings.clientAuthorities = from.tlsClientCa.value_or("");
  settings.clientCertificateRequired = from.tlsClientCertificates != ClientCertificates::Optional;
  settings.forwardedField = from.forwardedField;
  settings.proxyProtocol = from.proxyProtocol;
  settings.maxBodyBytes = configuration.limits.requestBytes;
  // Two requests of the greatest allowed size always fit.
  settings.maxHeldBodyBytesOfPeer =
      std::max(settings.maxHeldBodyBytesOfPeer, 2 * settings.maxBodyBytes);
  settings.maxHeldBodyBytes =
      std::max(settings.maxHeldBodyBytes, 2 * settings.maxHeldBodyBytesOfPeer);
  settings.maxConnections = from.maxConnections;
  settings.maxConnectionsPerPeer = from.maxConnectionsPerPeer;
  settings.idleTimeout = std::chrono::seconds(from.idleSeconds);
  return settings;
}

bool reachableFromElsewhere(const Configuration &configuration) {
  if (configuration.transport != Transport::Http) return false;
  const std::vector<std::string> &all = configuration.http.listen;
  return std::any_of(all.begin(), all.end(), [](const std::string &one) {
    return one == "systemd" || !isLoopback(addressOf(one, 0, httpListen));
  });
}

std::vector<std::string> allowedHosts(const HttpConfiguration &configuration,
                                      const std::vector<HttpEndpoint> &endpoints) {
  std::vector<std::string> hosts = lowered(configuration.allowedHosts);
  const std::string ours = hostOf(configuration.publicUrl.value_or(""));
  const bool local = std::all_of(endpoints.begin(), endpoints.end(),
                                 [](const HttpEndpoint &one) { return one.local; });
  if (hosts.empty() && (local || !ours.empty())) hosts = {"localhost", "127.0.0.1", "[::1]"};
  if (!hosts.empty() && !ours.empty()) hosts.push_back(ours);
  return hosts;
}

std::vector<std::string> allowedOrigins(const HttpConfiguration &configuration) {
  return lowered(configuration.allowedOrigins);
}

} // namespace skillhost::app
