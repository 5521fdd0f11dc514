// SPDX-License-Identifier: Apache-2.0
// Where an HTTP server listens, and the limits that keep one client from costing the others.
#pragma once

#include "net/trusted_proxies.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

struct HttpAddress {
  std::string host;       // an IPv4 or IPv6 address, or a name, of which every address is opened
  std::uint16_t port = 0; // 0: one that is free
  std::string path{};     // not empty: a unix socket in place of the two above
  unsigned mode = 0600;   // of the unix socket's file
};

// Which field of a trusted proxy says where a request comes from. Auto: whichever there is; a
// request in which both name different clients is refused.
enum class ForwardedField : std::uint8_t { Auto, XForwardedFor, Forwarded };

struct HttpSettings {
  std::vector<HttpAddress> addresses;
  bool activated = false;               // also the sockets that systemd has opened (LISTEN_FDS)
  std::string certificateFile, keyFile; // PEM; not empty: TLS on everything but unix sockets

  std::string clientAuthorities{};       // PEM; not empty: TLS clients show a certificate of these
  bool clientCertificateRequired = true; // else one may show none, but never a wrong one

  TrustedProxies trustedProxies{};
  ForwardedField forwardedField = ForwardedField::Auto;
  // Every connection of a trusted proxy begins with a PROXY header, those of others never.
  bool proxyProtocol = false;

  std::size_t maxHeadBytes = 16U << 10U; // of a request, with its first line; over it: 431
  std::size_t maxFields = 100;           // over it: 431
  std::size_t maxBodyBytes = 10U << 20U; // over it: 413
  // Of bodies of more than 64 KiB, while their requests are under way; over it: 503.
  std::size_t maxHeldBodyBytes = 256U << 20U;      // of all requests together
  std::size_t maxHeldBodyBytesOfPeer = 64U << 20U; // of those from one IP address
  std::size_t maxUnsentBytes = 1U << 20U; // of an event stream; over it the client is dropped
  // Limits what clients of one IP address have not taken of answers of more than 64 KiB; a further
  // such answer is a 503.
  std::size_t maxUnsentBytesOfPeer = 64U << 20U;
  // Over it: the connection of a client without an accepted credential that has waited longest for
  // a request is closed; where there is none, 503.
  std::size_t maxConnections = 10'240;
  std::size_t maxConnectionsPerPeer = 2'048; // from one IP address; over it: 503; 0: no limit
  std::size_t leastBytesPerSecond = 4'096;   // so much in each bodyTime, and a body may take longer

  std::chrono::milliseconds headTime{10'000};    // for a TLS handshake and a request's head
  std::chrono::milliseconds bodyTime{30'000};    // for its body
  std::chrono::milliseconds idleTime{75'000};    // between two requests
  std::chrono::milliseconds writeTime{30'000};   // in which a client takes nothing of an answer
  std::chrono::milliseconds commentTime{15'000}; // between two signs of life on an event stream
  std::chrono::milliseconds stopTime{2'000};     // for running requests after stop()
};

} // namespace skillhost
