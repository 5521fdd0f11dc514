// SPDX-License-Identifier: Apache-2.0
#include "listener.hpp"

#include "base/log.hpp"
#include "connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace skillhost::http {
namespace {

constexpr int acceptsInARow = 64; // then connections have their turn

constexpr std::string_view fullText = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
                                      "Retry-After: 1\r\nConnection: close\r\n\r\n";

std::string userOf(int socket) {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return "unix:";
  return "unix:uid=" + std::to_string(who.uid);
}

// Returns null if TLS has no session. Without a connection, the place of the address is given back.
std::shared_ptr<Connection> newConnection(Hub &hub, const Listener::MakeStream &makeStream,
                                          Descriptor socket, Connection::Client client,
                                          const std::string &address) {
  try {
    if (auto stream = makeStream(socket.number())) {
      auto connection = std::make_shared<Connection>(hub, std::move(socket), std::move(stream),
                                                     std::move(client));
      hub.add(connection);
      return connection;
    }
  } catch (const std::exception &) {
    hub.giveBack(address);
    throw;
  }
  hub.giveBack(address);
  return nullptr;
}

} // namespace

Listener::Listener(Hub &hub, ListeningSocket socket, MakeStream makeStream)
    : hub_(hub), socket_(std::move(socket)), makeStream_(std::move(makeStream)),
      watch_(std::make_unique<EventLoop::Watch>(hub.loop, socket_.socket.number())) {}

Listener::~Listener() { close(); }

// A pending wait keeps the listener alive for a while, so close the socket here and not in the
// destructor.
void Listener::close() {
  if (!watch_) return;
  watch_.reset();
  socket_.socket.reset();
  if (!socket_.ownPath.empty()) ::unlink(socket_.ownPath.c_str());
}

void Listener::resume() {
  if (std::exchange(paused_, false)) watch_->awaitReadable(shared_from_this());
}

void Listener::readable() {
  Next next = Next::Accept;
  for (int times = 0; times < acceptsInARow && next == Next::Accept; ++times) next = acceptOne();
  if (next == Next::Pause)
    paused_ = true;
  else
    watch_->awaitReadable(shared_from_this());
}

void Listener::failed(const std::exception &why) noexcept {
  log::failure("http", {socket_.name, " accepts nobody for now"}, why);
  paused_ = true;
}

Listener::Next Listener::acceptOne() {
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  Descriptor socket(::accept4(socket_.socket.number(), reinterpret_cast<sockaddr *>(&from), &size,
                              SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket) {
    addConnection(std::move(socket), from);
    return Next::Accept;
  }
  if (errno == EAGAIN || errno == EWOULDBLOCK) return Next::Wait;
  if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM)
    return Next::Accept; // only this client has gone
  log::warning("http",
               socket_.name + " accepts nobody for now: " + std::generic_category().message(errno));
  return Next::Pause;
}

void Listener::addConnection(Descriptor socket, const sockaddr_storage &from) {
  hub_.figures.accepted.add();
  Connection::Client client;
  const TrustedProxies &proxies = hub_.settings.trustedProxies;
  if (socket_.unixSocket) {
    client.name = userOf(socket.number());
    client.proxy = proxies.trustsUnix();
  } else {
    const SocketName name = nameOf(from);
    client.name = name.ip.withPort(name.port);
    client.proxy = proxies.trusts(name.ip);
    // A proxy's connections are those of all its clients.
    if (hub_.settings.maxConnectionsPerPeer != 0 && !client.proxy)
      client.address = networkOf(client.name);
    const int on = 1;
    ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  const std::string address = client.address;
  if (!hub_.take(address)) {
    log::refused(LogLevel::Warning, "http", client.address,
                 "503 for " + client.name + ": its address has " +
                     std::to_string(hub_.settings.maxConnectionsPerPeer) +
                     " connections already (http.max_connections_per_peer)");
    return refuseConnection(std::move(socket));
  }
  if (hub_.connections.size() >= hub_.settings.maxConnections && !hub_.makeRoom()) {
    hub_.giveBack(address);
    return refuseConnection(std::move(socket));
  }
  const auto connection =
      newConnection(hub_, makeStream_, std::move(socket), std::move(client), address);
  if (connection) connection->attempt([&] { connection->start(); });
}

void Listener::refuseConnection(Descriptor socket) {
  Figures::dropped("too many connections");
  if (socket_.secure) return; // the answer would need TLS
  ::send(socket.number(), fullText.data(), fullText.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  // Reads the client's bytes, because unread bytes would turn the closing into a reset.
  ::recv(socket.number(), hub_.readBuffer.data(), hub_.readBuffer.size(), MSG_DONTWAIT);
}

} // namespace skillhost::http
