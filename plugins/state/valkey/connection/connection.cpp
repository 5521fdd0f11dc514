// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include "ground/shown.hpp"

#include <array>

namespace skillhost::valkey {
namespace {

constexpr std::size_t readSize = std::size_t{16} * 1'024;

} // namespace

Connection::Connection(const Address &address, const TlsContext *tls, const Limit &limit)
    : address_(address), socket_(Socket::connect(address, limit)),
      tls_(tls == nullptr ? nullptr : std::make_unique<TlsSession>(*tls, address.host)) {
  if (tls_ != nullptr) shakeHands(limit);
}

void Connection::shakeHands(const Limit &limit) {
  std::array<char, readSize> bytes; // NOLINT(*-member-init): only what was written is read
  while (true) {
    const bool isDone = tls_->shakeHands();
    socket_.send(tls_->toSend(), limit);
    if (isDone) return;
    std::optional<std::size_t> got;
    while (!(got = socket_.receive(bytes.data(), bytes.size()))) socket_.await(limit);
    tls_->received({bytes.data(), *got});
  }
}

void Connection::send(std::string_view commands, const Limit &limit) {
  if (tls_ == nullptr) return socket_.send(commands, limit);
  tls_->encrypt(commands);
  socket_.send(tls_->toSend(), limit);
}

bool Connection::readOnce() {
  std::array<char, readSize> bytes; // NOLINT(*-member-init): only what was written is read
  const auto got = socket_.receive(bytes.data(), bytes.size());
  if (!got) return false;
  if (tls_ == nullptr) {
    reader_.feed({bytes.data(), *got});
    return true;
  }
  std::string plain;
  tls_->decrypt({bytes.data(), *got}, plain);
  reader_.feed(plain);
  return true;
}

void Connection::fail(const BadReply &bad) const {
  const std::string &who = socket_.peer();
  if (bad.isTooLarge) throw skh::Error(SKH_CORRUPT, who + " answers with " + bad.what());
  throw ConnectionLost(who + " does not speak the protocol: " + shownLine(bad.what()));
}

std::optional<Reply> Connection::receiveNow() {
  try {
    while (true) {
      if (auto reply = reader_.next()) return reply;
      if (!readOnce()) return std::nullopt;
    }
  } catch (const BadReply &bad) {
    fail(bad);
  }
}

Reply Connection::receive(const Limit &limit) {
  try {
    while (true) {
      if (auto reply = reader_.next()) return *std::move(reply);
      // The reply has rarely arrived right after the request. Waiting before reading saves a system
      // call.
      socket_.await(limit);
      readOnce();
    }
  } catch (const BadReply &bad) {
    fail(bad);
  }
}

} // namespace skillhost::valkey
