// SPDX-License-Identifier: Apache-2.0
// Accepts the connections of one listening socket.
#pragma once

#include "byte_stream.hpp"
#include "hub.hpp"
#include "listening_socket.hpp"

#include <exception>
#include <functional>
#include <memory>

namespace skillhost::http {

// Used on the loop's thread.
class Listener final : public Watched, public std::enable_shared_from_this<Listener> {
public:
  using MakeStream = std::function<std::unique_ptr<ByteStream>(int socket)>;
  Listener(Hub &hub, ListeningSocket socket, MakeStream makeStream);
  ~Listener() override;
  Listener(const Listener &) = delete;
  Listener &operator=(const Listener &) = delete;

  void readable() override;
  void failed(const std::exception &why) noexcept override;
  // Continues after a pause for lack of descriptors or memory.
  void resume();
  void close(); // permanent

private:
  enum class Next { Accept, Wait, Pause };
  Next acceptOne();
  void addConnection(Descriptor socket, const sockaddr_storage &from);
  void refuseConnection(Descriptor socket);

  Hub &hub_;
  ListeningSocket socket_;
  MakeStream makeStream_;
  std::unique_ptr<EventLoop::Watch> watch_;
  bool paused_ = true; // true until the first resume()
};

} // namespace skillhost::http
