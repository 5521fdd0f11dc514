// SPDX-License-Identifier: Apache-2.0
// The part of a connection that learns from a trusted proxy for which client it speaks.
#include "connection.hpp"
#include "forwarded.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

namespace skillhost::http {

// Reads the bytes of the header, and none behind it, which may be TLS. Returns false if the header
// is incomplete or wrong.
bool Connection::readProxyHeader() {
  while (proxyHeader_->state() == ProxyHeader::State::Incomplete) {
    std::array<char, 256> room{};
    const ssize_t came = ::recv(socket_.number(), room.data(), room.size(), MSG_PEEK);
    if (came < 0 && errno == EINTR) continue;
    if (came < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      awaitBytes();
      return false;
    }
    if (came <= 0) {
      drop(""); // a proxy's health check, which only connects
      return false;
    }
    const std::size_t used = proxyHeader_->feed({room.data(), static_cast<std::size_t>(came)});
    if (proxyHeader_->state() == ProxyHeader::State::Wrong) {
      dropProxy(proxyHeader_->reason());
      return false;
    }
    [[maybe_unused]] const ssize_t taken = ::recv(socket_.number(), room.data(), used, 0);
  }
  return takeProxyHeader();
}

bool Connection::takeProxyHeader() {
  const std::optional<SocketName> from = proxyHeader_->client();
  const bool isOwn = proxyHeader_->isOwn();
  proxyHeader_.reset();
  if (!from) {
    // The proxy forwards a client without an address, and the client's header fields with it. These
    // fields are not the proxy's own.
    if (!isOwn) client_.proxy = false;
    hub_.markClosable(*this);
    return true;
  }
  client_.name = from->ip.withPort(from->port);
  // The named client may itself be a trusted proxy that forwards requests.
  client_.proxy = hub_.settings.trustedProxies.trusts(from->ip);
  const std::string address = client_.proxy ? std::string() : networkOf(client_.name);
  if (!hub_.take(address)) {
    drop("too many connections");
    return false;
  }
  if (hub_.settings.maxConnectionsPerPeer != 0) client_.address = address;
  hub_.markClosable(*this);
  return true;
}

void Connection::dropProxy(std::string_view reason) {
  hub_.warnOfProxy("a connection of the trusted proxy " + client_.name +
                   " is refused: " + std::string(reason) +
                   "; make the proxy send the PROXY protocol, or set http.proxy_protocol to false");
  drop(reason);
}

// Returns false if the request was refused.
bool Connection::nameRequester(Exchange &exchange) {
  ForwardedClient client = forwardedClient(exchange.request(), hub_.settings.trustedProxies,
                                           hub_.settings.forwardedField);
  if (!client.warning.empty()) hub_.warnOfProxy(client.warning);
  if (!client.refusal.empty()) {
    refuse({400, client.refusal});
    return false;
  }
  if (client.peer.empty()) return true;
  exchange.setPeer(std::move(client.peer));
  if (!hub_.take(client.address)) {
    Figures::refusedRequest(503);
    respond(number_, {503,
                      "text/plain",
                      {{"Retry-After", "1"}},
                      Fragments("too many requests of one client\n")});
    return false;
  }
  requester_ = std::move(client.address);
  return true;
}

} // namespace skillhost::http
