// SPDX-License-Identifier: Apache-2.0
// The addresses of an HTTP server, and the limits that protect clients from each other.
#pragma once

#include "net/trusted_proxies.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

struct HttpAddress {
  std::string host; // an IPv4 or IPv6 address, or a name; all addresses of the name are opened
  std::uint16_t port = 0; // 0: a free port
  std::string path{};     // not empty: a unix socket instead
  unsigned mode = 0600;   // mode of the unix socket's file
};

// The field in which a trusted proxy names the client of a request. Auto: whichever field is
// present; a request is refused if both name different clients.
enum class ForwardedField : std::uint8_t { Auto, XForwardedFor, Forwarded };

struct HttpSettings {
  std::vector<HttpAddress> addresses;
  bool activated = false;               // also serve the sockets of systemd (LISTEN_FDS)
  std::string certificateFile, keyFile; // PEM; not empty: TLS, except on unix sockets

  std::string clientAuthorities{}; // PEM; not empty: they sign the certificates of TLS clients
  bool clientCertificateRequired = true; // false: a client may show none, but never a wrong one

  TrustedProxies trustedProxies{};
  ForwardedField forwardedField = ForwardedField::Auto;
  // Every connection of a trusted proxy begins with a PROXY header, and no other connection does.
  bool proxyProtocol = false;

  std::size_t maxHeadBytes = 16U << 10U; // for a request's first line and fields; above: 431
  std::size_t maxFields = 100;           // above: 431
  std::size_t maxBodyBytes = 10U << 20U; // above: 413
  // These limit bodies of more than 64 KiB while their requests are under way; above: 503.
  std::size_t maxHeldBodyBytes = 256U << 20U;      // all requests together
  std::size_t maxHeldBodyBytesOfPeer = 64U << 20U; // requests from one IP address
  std::size_t maxUnsentBytes = 1U << 20U; // for an event stream; above, the client is dropped
  // Limits the unsent bytes of answers of more than 64 KiB to clients of one IP address. Above,
  // another such answer becomes a 503.
  std::size_t maxUnsentBytesOfPeer = 64U << 20U;
  // Above this number, the server closes the connection that has waited longest for a request among
  // the clients without an accepted credential. If there is none, it answers 503.
  std::size_t maxConnections = 10'240;
  std::size_t maxConnectionsPerPeer = 2'048; // per IP address; above: 503; 0: no limit
  std::size_t minBytesPerSecond = 4'096;     // a body that keeps this rate may exceed bodyTime

  std::chrono::milliseconds headTime{10'000};    // for a TLS handshake and a request's head
  std::chrono::milliseconds bodyTime{30'000};    // for a request's body
  std::chrono::milliseconds idleTime{75'000};    // between two requests
  std::chrono::milliseconds writeTime{30'000};   // without progress of an answer
  std::chrono::milliseconds commentTime{15'000}; // between two comments on an event stream
  std::chrono::milliseconds stopTime{2'000};     // for running requests after stop()
};

} // namespace skillhost
