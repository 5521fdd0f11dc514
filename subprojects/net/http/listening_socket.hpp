// SPDX-License-Identifier: Apache-2.0
// Opens what a server listens to. Everything here throws std::runtime_error that names the address
// and what is wrong with it.
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
  std::string name;  // as HttpEndpoint has it
  bool local = false;
  bool unixSocket = false;
  bool secure = false;   // to be served with TLS
  std::string ownPath{}; // the socket's file, to be removed in the end; empty: not ours
};

// One for each address of the host's name, bound and not yet listening.
std::vector<ListeningSocket> bindTcp(const HttpAddress &address);
// Of one that is bound; nothing happens to one that listens already.
void beginListening(const ListeningSocket &socket);
// A file that is left over from a server that is no more is replaced; nothing else is.
ListeningSocket listenUnix(const HttpAddress &address);
// Those that systemd passed to this process, which then must not look for them again
// (sd_listen_fds(3)). None: an empty list.
std::vector<ListeningSocket> listenActivated();

struct SocketName {
  IpAddress ip;
  std::uint16_t port = 0;
};
// Of a TCP socket.
SocketName nameOf(const sockaddr_storage &address);
// "192.0.2.1:4711" or "[2001:db8::1]:4711".
std::string nameText(const sockaddr_storage &address);

} // namespace skillhost::http
