// SPDX-License-Identifier: Apache-2.0
// The connection to an MCP server, whatever carries its messages.
#pragma once

#include "ground/deadline.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

// Used by one thread only. Failures: ToolTimeout after the deadline, Cancelled when we have to
// stop, Unavailable when the server has ended, TooLarge for a line longer than maxMessageBytes. An
// implementation may also throw; then the conversation is over.
class ServerChannel {
public:
  virtual ~ServerChannel() = default; // ends the server, in at most four seconds
  // Sends one message, without line ends.
  virtual Status send(std::string_view message, Deadline deadline) = 0;
  // Receives the server's next line, whatever it contains.
  virtual Result<std::string> receive(Deadline deadline) = 0;
  // The time after which an unanswered first request counts as unknown to the server.
  virtual std::chrono::milliseconds patience() const { return std::chrono::seconds(5); }
  // Receives a fault of the server that does not end the conversation, to log it.
  virtual void warn(const std::string & /*words*/) {}
};

inline constexpr std::size_t maxMessageBytes = std::size_t{64} << 20U;

// Opens a new channel with each call. The channel may outlive this function.
using OpenServer = std::function<Result<std::unique_ptr<ServerChannel>>()>;

} // namespace skillhost
