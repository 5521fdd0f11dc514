// SPDX-License-Identifier: Apache-2.0
#include "network/forwarding.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace skillhost::network {
namespace {

using std::chrono::seconds;

constexpr std::size_t maxBufferedBytes = 64U << 10U;
constexpr std::size_t maxConnectionsPerInstance = 64; // connections of one instance at once
constexpr seconds forHead{15}, forName{20}, forAddress{5}, forHandshake{30}, forAnswer{5},
    whileIdle{300};

enum class ReadResult : std::uint8_t { Some, Nothing, End };

// Appends the available bytes, up to `maxBytes`.
ReadResult readAvailable(int from, std::string &into, std::size_t maxBytes) {
  std::array<char, 16384> piece; // NOLINT(cppcoreguidelines-pro-type-member-init): read into
  const ssize_t got = ::recv(from, piece.data(), std::min(maxBytes, piece.size()), MSG_DONTWAIT);
  if (got > 0) into.append(piece.data(), static_cast<std::size_t>(got));
  if (got > 0) return ReadResult::Some;
  return got < 0 && (errno == EAGAIN || errno == EINTR) ? ReadResult::Nothing : ReadResult::End;
}

Descriptor connectTo(const AddressBytes &address, std::uint16_t port) {
  const bool four = std::all_of(address.begin(), address.begin() + 10,
                                [](std::uint8_t byte) { return byte == 0; }) &&
                    address[10] == 0xFF && address[11] == 0xFF;
  Descriptor made(
      ::socket(four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made) return made;
  const int yes = 1;
  ::setsockopt(made.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  sockaddr_in to4{};
  to4.sin_family = AF_INET;
  to4.sin_port = htons(port);
  std::memcpy(&to4.sin_addr, &address[12], sizeof to4.sin_addr);
  sockaddr_in6 to6{};
  to6.sin6_family = AF_INET6;
  to6.sin6_port = htons(port);
  std::memcpy(&to6.sin6_addr, address.data(), address.size());
  const int done = four ? ::connect(made.number(), reinterpret_cast<sockaddr *>(&to4), sizeof to4)
                        : ::connect(made.number(), reinterpret_cast<sockaddr *>(&to6), sizeof to6);
  if (done != 0 && errno != EINPROGRESS) made.reset();
  return made;
}

} // namespace

Forwarding::Forwarding(ForwardingHost &host, std::uint64_t number, Descriptor client,
                       std::shared_ptr<Permit> supplied)
    : host_(host), number_(number), client_(std::move(client)), permit_(std::move(supplied)) {
  if (permit_) ++permit_->open;
  isCounted_ = permit_ != nullptr;
  enterState(State::Head, forHead);
}

Forwarding::~Forwarding() {
  if (isCounted_) --permit_->open;
}

void Forwarding::enterState(State state, seconds within) {
  state_ = state;
  deadline_ = std::chrono::steady_clock::now() + within;
}

void Forwarding::watch(std::vector<pollfd> &watched) const {
  const auto events = [](bool reads, bool writes) {
    return static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
  };
  const bool relays = state_ == State::Relaying;
  const short client = events(state_ == State::Head || (relays && wantsClientData()),
                              (relays || state_ == State::Answering) && !fromServer_.empty());
  const short server = events(state_ == State::Handshake || (relays && !serverEnded_ &&
                                                             fromServer_.size() < maxBufferedBytes),
                              state_ == State::Connecting || (relays && !fromClient_.empty()));
  watched.push_back({client == 0 ? -1 : client_.number(), client, 0});
  watched.push_back({server == 0 ? -1 : server_.number(), server, 0});
}

// True if the plugin's data is read now. Data beyond the limit waits in the kernel until the answer
// is delivered.
bool Forwarding::wantsClientData() const {
  return !clientEnded_ && fromClient_.size() < maxBufferedBytes &&
         (request_.tunnel || bodyLeft_ > 0);
}

void Forwarding::handleEvents(short clientEvents, short serverEvents) {
  switch (state_) {
  case State::Head:
    if (clientEvents != 0) readHead();
    break;
  case State::Connecting:
    if (serverEvents != 0) connected();
    break;
  case State::Handshake:
    if (serverEvents != 0) readHandshake();
    break;
  case State::Relaying:
    relay(clientEvents, serverEvents);
    break;
  case State::Answering:
    if (clientEvents != 0 && (!flush(client_.number(), fromServer_) || fromServer_.empty())) {
      // Reads the rest of the request. Otherwise the kernel would reset the connection, and the
      // answer would be lost.
      ::shutdown(client_.number(), SHUT_WR);
      std::string rest;
      while (readAvailable(client_.number(), rest, maxBufferedBytes) == ReadResult::Some &&
             rest.size() < maxBufferedBytes)
        continue;
      state_ = State::Ended;
    }
    break;
  case State::Resolving:
  case State::Ended:
    break;
  }
}

void Forwarding::onDeadline() {
  switch (state_) {
  case State::Head:
    return answer(408, "Request Timeout", "no request came");
  case State::Resolving:
    return answer(504, "Gateway Timeout", request_.host.text + " was not found in time");
  case State::Connecting:
    return connectNext();
  case State::Handshake:
    return answer(504, "Gateway Timeout", "the proxy of the environment did not answer in time");
  default:
    state_ = State::Ended;
  }
}

void Forwarding::answer(int status, const char *reason, const std::string &text) {
  const std::string line = text + "\n";
  fromServer_ = "HTTP/1.1 " + std::to_string(status) + " " + reason +
                "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " +
                std::to_string(line.size()) + "\r\nConnection: close\r\n" +
                (status == 407 ? "Proxy-Authenticate: Basic realm=\"skillhost\"\r\n" : "") +
                "\r\n" + line;
  server_.reset();
  enterState(State::Answering, forAnswer);
}

void Forwarding::readHead() {
  const ReadResult took =
      readAvailable(client_.number(), fromClient_, maxHeadBytes + 1 - fromClient_.size());
  if (took == ReadResult::End) return end();
  const std::size_t blank = fromClient_.find("\r\n\r\n");
  if (blank == std::string::npos) {
    if (fromClient_.size() > maxHeadBytes)
      answer(431, "Request Header Fields Too Large", "the head is longer than 16 KiB");
    return;
  }
  Result<ForwardRequest> request =
      parseForwardRequest(std::string_view(fromClient_).substr(0, blank + 4));
  if (!request)
    return answer(400, "Bad Request", "skillhost forwards: " + request.failure().message);
  request_ = *std::move(request);
  fromClient_.erase(0, blank + 4);
  checkRequest();
}

void Forwarding::checkRequest() {
  const std::shared_ptr<Permit> permit = host_.permit(request_.credentials);
  if (!permit || (permit_ && permit_ != permit))
    return answer(407, "Proxy Authentication Required",
                  "the user and password of https_proxy are missing or wrong");
  if (!isCounted_) {
    permit_ = permit;
    isCounted_ = true;
    ++permit_->open;
  }
  if (permit_->open > maxConnectionsPerInstance)
    return answer(503, "Service Unavailable", "too many connections at once");
  if (!permit_->rule.names(request_.host, request_.port)) {
    permit_->reportRefused(request_.authority, "not in `network`");
    return answer(403, "Forbidden", request_.authority + " is not in `network`");
  }
  // A literal address is checked even if a further proxy connects to it.
  if (request_.host.address && !permit_->rule.reaches(*request_.host.address, request_.port)) {
    permit_->reportRefused(request_.authority,
                           "which is no public address and not in `network` itself");
    return answer(403, "Forbidden", request_.authority + " is no public address");
  }
  bodyLeft_ = request_.bodyBytes;
  upstream_ = host_.upstream(request_.host.text, request_.tunnel);
  std::optional<HostName> named = request_.host;
  if (upstream_)
    named =
        HostName::of(upstream_->host.find(':') == std::string::npos ? upstream_->host
                                                                    : "[" + upstream_->host + "]");
  if (named && named->address) {
    addresses_ = {*named->address};
    return connectNext();
  }
  enterState(State::Resolving, forName);
  if (!named || !host_.resolve(number_, named->text))
    answer(503, "Service Unavailable", "too many names are looked up at once");
}

void Forwarding::resolved(const std::vector<AddressBytes> &addresses) {
  if (state_ != State::Resolving) return;
  if (addresses.empty())
    return answer(502, "Bad Gateway",
                  (upstream_ ? "the proxy of the environment" : request_.host.text) +
                      std::string(" was not found"));
  addresses_.clear();
  for (const AddressBytes &one : addresses)
    if (upstream_ || permit_->rule.reaches(one, request_.port)) addresses_.push_back(one);
  if (addresses_.empty()) {
    permit_->reportRefused(
        request_.authority,
        "it leads to no public address: name that or its network in `network` too");
    return answer(403, "Forbidden", request_.authority + " leads to no public address");
  }
  connectNext();
}

void Forwarding::connectNext() {
  while (!addresses_.empty()) {
    const AddressBytes address = addresses_.front();
    addresses_.erase(addresses_.begin());
    server_ = connectTo(address, upstream_ ? upstream_->port : request_.port);
    if (server_) return enterState(State::Connecting, forAddress);
  }
  answer(502, "Bad Gateway",
         (upstream_ ? "the proxy of the environment" : request_.authority) +
             std::string(" cannot be connected to"));
}

void Forwarding::connected() {
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(server_.number(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return connectNext();
  const std::string credentials = upstream_ ? upstream_->credentials : "";
  if (request_.tunnel && upstream_) {
    std::string head = request_.head(true, credentials);
    // The head is small enough for the kernel to take it at once.
    if (!flush(server_.number(), head) || !head.empty()) return connectNext();
    return enterState(State::Handshake, forHandshake);
  }
  enterState(State::Relaying, whileIdle);
  if (request_.tunnel) {
    fromServer_ = "HTTP/1.1 200 Connection established\r\n\r\n";
    return;
  }
  // Only the body is forwarded after the head. A second request behind it would bypass the check.
  fromClient_.resize(
      static_cast<std::size_t>(std::min<std::uint64_t>(fromClient_.size(), bodyLeft_)));
  bodyLeft_ -= fromClient_.size();
  fromClient_.insert(0, request_.head(upstream_.has_value(), credentials));
}

void Forwarding::readHandshake() {
  const ReadResult took =
      readAvailable(server_.number(), fromServer_, maxHeadBytes + 1 - fromServer_.size());
  const std::size_t blank = fromServer_.find("\r\n\r\n");
  if (blank == std::string::npos && took != ReadResult::End && fromServer_.size() <= maxHeadBytes)
    return;
  const std::string line = fromServer_.substr(0, fromServer_.find("\r\n"));
  const bool isHttp = line.starts_with("HTTP/1.") && line.size() >= 12;
  const std::string status = isHttp ? line.substr(8, 4) : "";
  if (blank == std::string::npos || !status.starts_with(" 2"))
    return answer(502, "Bad Gateway",
                  "the proxy of the environment answered" +
                      (status.find_first_not_of(" 0123456789") == std::string::npos && isHttp
                           ? status
                           : " with something other than HTTP"));
  fromServer_.replace(0, blank + 4, "HTTP/1.1 200 Connection established\r\n\r\n");
  enterState(State::Relaying, whileIdle);
}

// Returns false if the other end is closed.
bool Forwarding::flush(int to, std::string &buffer) {
  while (!buffer.empty()) {
    const ssize_t sent = ::send(to, buffer.data(), buffer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN;
    buffer.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

void Forwarding::readClient() {
  const std::uint64_t maxBytes =
      std::min<std::uint64_t>(maxBufferedBytes, request_.tunnel ? maxBufferedBytes : bodyLeft_);
  const std::size_t before = fromClient_.size();
  const ReadResult took =
      readAvailable(client_.number(), fromClient_, static_cast<std::size_t>(maxBytes));
  if (!request_.tunnel) bodyLeft_ -= fromClient_.size() - before;
  if (took == ReadResult::End) clientEnded_ = true;
}

void Forwarding::readServer() {
  if (readAvailable(server_.number(), fromServer_, maxBufferedBytes) == ReadResult::End)
    serverEnded_ = true;
}

void Forwarding::relay(short clientEvents, short serverEvents) {
  if (clientEvents == 0 && serverEvents == 0) return;
  deadline_ = std::chrono::steady_clock::now() + whileIdle;
  constexpr short readable = POLLIN | POLLHUP | POLLERR;
  if ((clientEvents & readable) != 0 && wantsClientData()) readClient();
  if ((serverEvents & readable) != 0 && !serverEnded_ && fromServer_.size() < maxBufferedBytes)
    readServer();
  if (!flush(server_.number(), fromClient_)) { // the server's earlier data may still arrive
    fromClient_.clear();
    clientEnded_ = isServerShut_ = true;
  }
  if (!flush(client_.number(), fromServer_)) return end();
  if (clientEnded_ && fromClient_.empty() && !std::exchange(isServerShut_, true))
    ::shutdown(server_.number(), SHUT_WR);
  if (serverEnded_ && fromServer_.empty()) {
    if (!request_.tunnel || clientEnded_) return end();
    if (!std::exchange(isClientShut_, true)) ::shutdown(client_.number(), SHUT_WR);
  }
}

} // namespace skillhost::network
