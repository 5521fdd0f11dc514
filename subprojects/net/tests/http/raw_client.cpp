// SPDX-License-Identifier: Apache-2.0
#include "raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace skillhost::http_test {
namespace {

int connectTo(const std::string &endpoint, int receiveBuffer) {
  const bool file = endpoint.starts_with("unix:");
  const bool six = endpoint.starts_with("[");
  const int family = file ? AF_UNIX : six ? AF_INET6 : AF_INET;
  const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (receiveBuffer != 0)
    ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, sizeof receiveBuffer);
  int failed = 0;
  const auto port =
      static_cast<std::uint16_t>(std::atoi(endpoint.c_str() + endpoint.rfind(':') + 1));
  if (file) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    endpoint.copy(address.sun_path, sizeof address.sun_path - 1, 5);
    failed = ::connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address);
  } else if (six) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    address.sin6_addr = in6addr_loopback;
    failed = ::connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address);
  } else {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    failed = ::connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address);
  }
  if (failed != 0) {
    ::close(socket);
    throw std::runtime_error("cannot connect to " + endpoint);
  }
  return socket;
}

} // namespace

RawClient::RawClient(const std::string &endpoint, int receiveBuffer)
    : socket_(connectTo(endpoint, receiveBuffer)) {}

RawClient::~RawClient() { close(); }

void RawClient::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

void RawClient::reset() {
  const linger now{1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close();
}

void RawClient::finish() const { ::shutdown(socket_, SHUT_WR); }

void RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return; // the server has closed; its answer can still be read
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool RawClient::more() {
  pollfd watched{socket_, POLLIN, 0};
  if (::poll(&watched, 1, static_cast<int>(std::chrono::milliseconds(patience).count())) <= 0)
    throw std::runtime_error("the server says nothing; so far: " + received_);
  std::array<char, 65536> buffer;
  const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
  if (got <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

std::string RawClient::until(std::string_view text) {
  std::size_t at = 0;
  while ((at = received_.find(text)) == std::string::npos)
    if (!more()) throw std::runtime_error("the server has closed; so far: " + received_);
  std::string all = received_.substr(0, at + text.size());
  received_.erase(0, all.size());
  return all;
}

Answer RawClient::answer(bool withBody) {
  Answer answer;
  answer.head = until("\r\n\r\n");
  answer.status = std::atoi(answer.head.c_str() + answer.head.find(' '));
  if (!withBody) return answer;
  const std::size_t length = answer.head.find("Content-Length: ");
  if (length != std::string::npos) {
    const auto size = static_cast<std::size_t>(std::atol(answer.head.c_str() + length + 16));
    while (received_.size() < size)
      if (!more()) throw std::runtime_error("the body was cut");
    answer.body = received_.substr(0, size);
    received_.erase(0, size);
  } else if (answer.has("Transfer-Encoding: chunked")) {
    answer.body = until("0\r\n\r\n");
  } else if (answer.has("Connection: close")) {
    answer.body = theRest();
  }
  return answer;
}

bool RawClient::ended() { return received_.empty() && !more(); }

std::string RawClient::theRest() {
  while (more()) {}
  return std::exchange(received_, {});
}

RunningServer::RunningServer(HttpHandler handler, HttpSettings settings)
    : server(
          [&] {
            if (settings.addresses.empty() && !settings.usesSystemdSockets)
              settings.addresses.push_back({"127.0.0.1", 0});
            return std::move(settings);
          }(),
          std::move(handler)) {
  server.start();
  thread_ = std::thread([this] { server.run(); });
}

RunningServer::~RunningServer() {
  server.stop();
  join();
}

void RunningServer::join() {
  if (thread_.joinable()) thread_.join();
}

void echo(const std::shared_ptr<HttpExchange> &exchange) {
  exchange->readBody([exchange] {
    const HttpRequest &request = exchange->request();
    std::string text(request.method);
    text.append(" ").append(request.path).append(" ").append(request.query).append(" ");
    text.append(request.body);
    exchange->respond({200, "text/plain", {}, Fragments(text)});
  });
}

} // namespace skillhost::http_test
