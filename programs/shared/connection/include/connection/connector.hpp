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

// A thread of the connector sends requests to the server and receives their answers. The functions
// below only pass messages to that thread.
class Connector {
public:
  // `send` writes one message to the client. It is called on the connector's thread, and on the
  // thread that calls receive() or refuseTooLong() if they refuse a line, so it must be
  // thread-safe. The connector's thread calls `isOutputFull`; while it returns true, the connector
  // takes no bytes from the server. Throws std::runtime_error if libcurl or the kernel refuses.
  Connector(ConnectSettings settings, std::function<void(Fragments)> send,
            std::function<bool()> isOutputFull);
  // Drops what finish() would wait for, and joins the thread.
  ~Connector();
  Connector(const Connector &) = delete;
  Connector &operator=(const Connector &) = delete;

  // Takes one message of the client, a line of JSON. While 256 requests wait for their answers, it
  // waits until one of them is answered or its deadline is over. Returns at once after stop().
  void receive(std::string_view line);
  // Answers a message that the caller did not read, because it is longer than `limit` bytes, with
  // an error. `id` is the id of the message, as JSON.
  void refuseTooLong(std::size_t limit, const std::string &id);
  // Call it at the end of the input. Waits for the outstanding answers, for at most
  // ConnectSettings::patience, and then ends the session at the server, for at most two seconds.
  void finish();
  // Makes finish() wait for no more answers. It still ends the session at the server. May be called
  // on any thread and in a signal handler.
  void stop() noexcept;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace skillhost
