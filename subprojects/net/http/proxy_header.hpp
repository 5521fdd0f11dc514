// SPDX-License-Identifier: Apache-2.0
// The PROXY protocol, versions 1 and 2: a proxy's statement about the client, before the first byte
// of a connection.
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

  // Takes bytes and returns how many of them belong to the header. It takes none behind the header.
  std::size_t feed(std::string_view bytes);
  State state() const noexcept { return state_; }
  // The client, once complete. None: the proxy speaks for itself, or does not know the client.
  const std::optional<SocketName> &client() const noexcept { return client_; }
  // Once complete and without a client: true if the connection is the proxy's own, and false if the
  // proxy does not name its client.
  bool isOwn() const noexcept { return isOwn_; }
  // The reason, when wrong.
  std::string_view reason() const noexcept { return reason_; }

private:
  std::size_t wanted() const;
  void judge();
  void readLine();
  void readBlock();
  void wrong(std::string_view reason);

  std::string text_; // bytes so far
  State state_ = State::Incomplete;
  std::optional<SocketName> client_;
  bool isOwn_ = false;
  std::string_view reason_;
};

} // namespace skillhost::http
