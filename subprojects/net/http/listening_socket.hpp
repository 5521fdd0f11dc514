// SPDX-License-Identifier: Apache-2.0
// Opens the sockets on which a server listens. Every function here throws std::runtime_error with
// the address and the fault.
#pragma once

#include "ground/descriptor.hpp"
#include "net/http_settings.hpp"
#include "net/trusted_proxies.hpp"

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::http {

struct ListeningSocket {
  Descriptor socket; // does not block
  std::string name;  // as in HttpEndpoint
  bool local = false;
  bool unixSocket = false;
  bool secure = false;   // served with TLS
  std::string ownPath{}; // the socket's file, removed at the end; empty: not ours
};

// Returns one socket for each address of the host's name, bound and not yet listening.
std::vector<ListeningSocket> bindTcp(const HttpAddress &address);
// Makes a bound socket listen. Does nothing if it listens already.
void beginListening(const ListeningSocket &socket);
// Replaces a socket file that a server has left behind, and no other file.
ListeningSocket listenUnix(const HttpAddress &address);
// Returns the sockets that systemd passed to this process, or an empty list. They can be fetched
// only once (sd_listen_fds(3)).
std::vector<ListeningSocket> listenActivated();

struct SocketName {
  IpAddress ip;
  std::uint16_t port = 0;
};
// The name of a TCP socket.
SocketName nameOf(const sockaddr_storage &address);
// "192.0.2.1:4711" or "[2001:db8::1]:4711".
std::string nameText(const sockaddr_storage &address);

} // namespace skillhost::http
