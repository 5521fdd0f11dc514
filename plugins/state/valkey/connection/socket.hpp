// SPDX-License-Identifier: Apache-2.0
// A connected socket that never blocks by itself: whoever waits does it under a limit.
#pragma once

#include "../address.hpp"
#include "../limit.hpp"

#include "ground/descriptor.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::valkey {

// One thread at a time.
class Socket {
public:
  // TCP with keep-alive and without delay, or a socket of this machine. Every address of a name is
  // tried in turn. Throws Lost, and as Limit::wait(). The system's look-up of a name is waited for.
  static Socket connect(const Address &address, const Limit &limit);

  // All of it. Throws Lost, and as Limit::wait(): then a part may have gone.
  void send(std::string_view bytes, const Limit &limit);
  // What has come, as much as there is room for; nothing when nothing has. Throws Lost at the end.
  std::optional<std::size_t> receive(char *into, std::size_t room);
  // Waits until something has come or the connection has ended. Throws as Limit::wait().
  void await(const Limit &limit) const;
  // Nothing has come, and the other side has not ended.
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
  std::string peer_; // as the configuration names it
};

} // namespace skillhost::valkey
