// SPDX-License-Identifier: Apache-2.0
// MCP on stdio for a client that speaks nothing else, carried to a server over Streamable HTTP
// (revisions 2025-03-26 to 2026-07-28).
#pragma once

#include "connection/settings.hpp"
#include "ground/fragments.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace skillhost {

// Has one thread, which carries everything; receive() and the like only hand over to it.
class Connector {
public:
  // `send` is called from the connector's thread with one message at a time; `full` says that no
  // more than answers should follow for now. Throws std::runtime_error when libcurl or the kernel
  // refuse.
  Connector(ConnectSettings settings, std::function<void(Fragments)> send,
            std::function<bool()> full);
  ~Connector(); // ends at once
  Connector(const Connector &) = delete;
  Connector &operator=(const Connector &) = delete;

  // One line of the client. Waits while 256 requests are under way already, as each is bounded by
  // a deadline; returns at once after stop().
  void receive(std::string_view line);
  void refuseTooLong(std::size_t limit, const std::string &id);
  // The input ended: waits for the answers, ends the remote session. At most the settings' patience
  // and two seconds.
  void finish();
  // Gives up everything but the end of the remote session. Any thread; safe in a signal handler.
  void stop() noexcept;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace skillhost
