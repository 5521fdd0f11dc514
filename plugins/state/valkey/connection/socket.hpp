// SPDX-License-Identifier: Apache-2.0
// A connected socket that never blocks by itself. Callers wait under a limit.
#pragma once

#include "../address.hpp"
#include "../limit.hpp"

#include "ground/descriptor.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::valkey {

// Only one thread at a time may use it.
class Socket {
public:
  // Connects by TCP, with keep-alive and without delay, or to a socket of this machine. It tries
  // every address of a name in turn. Throws ConnectionLost, and as Limit::wait() does. The system's
  // name lookup blocks without limit.
  static Socket connect(const Address &address, const Limit &limit);

  // Sends all bytes. Throws ConnectionLost, and as Limit::wait() does; a part may have been sent
  // then.
  void send(std::string_view bytes, const Limit &limit);
  // Returns the bytes that have arrived, up to `room`; nothing if there are none. Throws
  // ConnectionLost at the end.
  std::optional<std::size_t> receive(char *into, std::size_t room);
  // Waits until bytes have arrived or the connection has ended. Throws as Limit::wait() does.
  void await(const Limit &limit) const;
  // True if nothing has arrived and the other side has not closed.
  bool isQuiet() const noexcept;
  int number() const noexcept { return descriptor_.number(); }
  const std::string &peer() const noexcept { return peer_; }

private:
  Socket(Descriptor descriptor, std::string peer)
      : descriptor_(std::move(descriptor)), peer_(std::move(peer)) {}
  void await(short events, const Limit &limit) const;
  static Socket connectTo(const void *address, std::size_t size, int family, const Address &named,
                          const Limit &limit);

  Descriptor descriptor_;
  std::string peer_; // as named in the configuration
};

} // namespace skillhost::valkey
