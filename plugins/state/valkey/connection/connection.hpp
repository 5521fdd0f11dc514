// SPDX-License-Identifier: Apache-2.0
// A connection to an engine sends commands and receives their replies in the same order.
#pragma once

#include "../protocol/reply.hpp"
#include "../protocol/reply_reader.hpp"
#include "socket.hpp"
#include "tls.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::valkey {

// Only one thread at a time may use it. After an exception it is unusable.
class Connection {
public:
  // Opens a connection, without TLS if `tls` is null. `tls` must outlive it. Throws as
  // Socket::connect() and TlsSession do.
  Connection(const Address &address, const TlsContext *tls, const Limit &limit);

  void send(std::string_view commands, const Limit &limit);
  // Waits for the next reply. Throws ConnectionLost, also if the bytes are not a reply;
  // skh::Error(SKH_CORRUPT) if a reply is too large to be one of ours; and as Limit::wait() does.
  Reply receive(const Limit &limit);
  // Does the same with bytes that have already arrived. Returns nothing if no reply is complete.
  std::optional<Reply> receiveNow();
  Reply ask(std::string_view command, const Limit &limit) {
    send(command, limit);
    return receive(limit);
  }
  // True if a command may be sent: the engine has not closed the connection and has sent nothing
  // unrequested.
  bool isUsable() const noexcept { return socket_.isQuiet(); }
  int descriptor() const noexcept { return socket_.number(); }
  const Address &address() const noexcept { return address_; }

private:
  void shakeHands(const Limit &limit);
  [[noreturn]] void fail(const BadReply &bad) const;
  bool readOnce(); // returns false if nothing has arrived

  Address address_;
  Socket socket_;
  std::unique_ptr<TlsSession> tls_; // null: without TLS
  ReplyReader reader_;
};

} // namespace skillhost::valkey
