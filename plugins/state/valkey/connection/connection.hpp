// SPDX-License-Identifier: Apache-2.0
// One connection to an engine: commands go out, replies come in, in the order of the commands.
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

// One thread at a time. After a throw it is of no more use.
class Connection {
public:
  // Plain without `tls`, which must outlive it. Throws as Socket::connect() and TlsSession.
  Connection(const Address &address, const TlsContext *tls, const Limit &limit);

  void send(std::string_view commands, const Limit &limit);
  // Waits for the next reply. Throws Lost, also for what is no reply; skh::Error(SKH_CORRUPT) for a
  // reply that is too large to be one of ours; and as Limit::wait().
  Reply receive(const Limit &limit);
  // The same of what has come already; nothing when no reply is complete.
  std::optional<Reply> receiveNow();
  Reply ask(std::string_view command, const Limit &limit) {
    send(command, limit);
    return receive(limit);
  }
  // May a command be sent by it? Not when the other side has ended it, or says what nobody asked.
  bool isUsable() const noexcept { return socket_.isQuiet(); }
  int descriptor() const noexcept { return socket_.number(); }
  const Address &address() const noexcept { return address_; }

private:
  void shakeHands(const Limit &limit);
  [[noreturn]] void fail(const BadReply &bad) const;
  bool readOnce(); // false: nothing has come

  Address address_;
  Socket socket_;
  std::unique_ptr<TlsSession> tls_; // none: plain
  ReplyReader reader_;
};

} // namespace skillhost::valkey
