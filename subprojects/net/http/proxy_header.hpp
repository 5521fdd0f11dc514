// SPDX-License-Identifier: Apache-2.0
// The PROXY protocol, version 1 and 2: what a proxy says of a connection before its first byte.
#pragma once

#include "listening_socket.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::http {

class ProxyHeader {
public:
  enum class State { Incomplete, Complete, Wrong };

  // Takes what comes next and returns how many of these bytes are the header's; none behind it.
  std::size_t feed(std::string_view bytes);
  State state() const noexcept { return state_; }
  // Once complete: the client. None: the proxy speaks for itself, or does not know.
  const std::optional<SocketName> &client() const noexcept { return client_; }
  // Once complete, without a client: a connection of the proxy's own, not of somebody it does not
  // name.
  bool isOwn() const noexcept { return isOwn_; }
  // When wrong, in a few words.
  std::string_view reason() const noexcept { return reason_; }

private:
  std::size_t wanted() const;
  void judge();
  void readLine();
  void readBlock();
  void wrong(std::string_view reason);

  std::string text_; // so far
  State state_ = State::Incomplete;
  std::optional<SocketName> client_;
  bool isOwn_ = false;
  std::string_view reason_;
};

} // namespace skillhost::http
