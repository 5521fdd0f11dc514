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

// An address to listen on: a host with a port, or the path of a unix socket.
struct HttpAddress {
  std::string host; // an IPv4 or IPv6 address, or a name; all addresses of the name are opened
  std::uint16_t port = 0; // 0: the kernel chooses a free port
  std::string path{};     // of the unix socket; not empty: `host` and `port` are not used
  unsigned mode = 0600;   // mode of the unix socket's file
};

// The header field in which a trusted proxy names the client of a request. Auto: the server reads
// the field that is present, and refuses a request in which two fields name different clients.
enum class ForwardedField : std::uint8_t { Auto, XForwardedFor, Forwarded };

struct HttpSettings {
  std::vector<HttpAddress> addresses;
  bool usesSystemdSockets = false;      // also serve the sockets of systemd (LISTEN_FDS)
  std::string certificateFile, keyFile; // PEM; empty: no TLS; unix sockets never have TLS

  // PEM file of the authorities that sign the certificates of TLS clients; empty: no client
  // certificates are requested.
  std::string clientAuthorities{};
  // If false, a client may connect without a certificate. A certificate of another authority is
  // refused in both cases.
  bool clientCertificateRequired = true;

  TrustedProxies trustedProxies{};
  ForwardedField forwardedField = ForwardedField::Auto;
  // Every connection of a trusted proxy begins with a PROXY header, and no other connection does.
  bool proxyProtocol = false;

  // Limits. "503 above" means that the server answers a request above the limit with the status
  // 503.
  std::size_t maxHeadBytes = 16U << 10U; // first line and header fields of a request; 431 above
  std::size_t maxFields = 100;           // header fields of a request; 431 above
  std::size_t maxBodyBytes = 10U << 20U; // body of a request; 413 above
  // Memory for the bodies of running requests. Only bodies of more than 64 KiB count. 503 above.
  std::size_t maxHeldBodyBytes = 256U << 20U;      // all requests together
  std::size_t maxHeldBodyBytesOfPeer = 64U << 20U; // requests from one IP address
  // Bytes of an event stream that its client has not received yet. Above, the connection is closed.
  std::size_t maxUnsentBytes = 1U << 20U;
  // Bytes of answers that clients at one IP address have not received yet. Only answers of more
  // than 64 KiB count. 503 above, in place of another such answer.
  std::size_t maxUnsentBytesOfPeer = 64U << 20U;
  // Open connections. If one more client connects, the server closes a connection without an
  // accepted credential: the one that has waited for its client for the longest time. If there is
  // no such connection, it answers the new client with 503.
  std::size_t maxConnections = 10'240;
  std::size_t maxConnectionsPerPeer =
      2'048; // open connections of one IP address; 503 above; 0: no limit

  // Time limits. When one is exceeded, the connection is closed.
  std::chrono::milliseconds headTimeout{10'000}; // for a TLS handshake and a request's head
  // For a request's body. A body that arrives at minBytesPerSecond or faster may take longer.
  std::chrono::milliseconds bodyTimeout{30'000};
  std::size_t minBytesPerSecond = 4'096;
  std::chrono::milliseconds idleTimeout{75'000};  // between two requests of a connection
  std::chrono::milliseconds writeTimeout{30'000}; // while the client receives no byte of an answer
  std::chrono::milliseconds stopTimeout{2'000};   // for running requests after stop()
  // The server sends a comment on an event stream that often, to detect clients that have gone.
  std::chrono::milliseconds commentInterval{15'000};
};

} // namespace skillhost
