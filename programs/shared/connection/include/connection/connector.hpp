// SPDX-License-Identifier: Apache-2.0
// Serves MCP on stdio to a client, and forwards it to a server over Streamable HTTP (revisions
// 2025-03-26 to 2026-07-28).
#pragma once

#include "connection/settings.hpp"
#include "ground/fragments.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace skillhost {

// One thread of its own does all the work. receive() and the other functions hand over to it.
class Connector {
public:
  // The connector's thread calls `send` with one message at a time. If `full` returns true, only
  // answers should follow for now. Throws std::runtime_error if libcurl or the kernel refuses.
  Connector(ConnectSettings settings, std::function<void(Fragments)> send,
            std::function<bool()> full);
  ~Connector(); // ends at once
  Connector(const Connector &) = delete;
  Connector &operator=(const Connector &) = delete;

  // Takes one line of the client. Waits while 256 requests are under way, each of which has a
  // deadline. Returns at once after stop().
  void receive(std::string_view line);
  void refuseTooLong(std::size_t limit, const std::string &id);
  // Call it at the end of the input: it waits for the answers and ends the remote session, for at
  // most the settings' patience and two seconds.
  void finish();
  // Gives up everything except ending the remote session. May be called on any thread and in a
  // signal handler.
  void stop() noexcept;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace skillhost
