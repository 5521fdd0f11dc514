// SPDX-License-Identifier: Apache-2.0
// The lines between us and an MCP server: a program started for it, or one over HTTP.
#pragma once

#include "connection/settings.hpp"
#include "ground/deadline.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// One thread. Failures: ToolTimeout when the deadline has passed, Cancelled when we are to stop,
// Unavailable when the server has ended, TooLarge when a line is longer than mostMessageBytes.
class ServerChannel {
public:
  virtual ~ServerChannel() = default; // ends what was opened, in at most four seconds
  // One message, without line ends.
  virtual Status send(std::string_view message, Deadline deadline) = 0;
  // The next line of the server, whatever it holds.
  virtual Result<std::string> receive(Deadline deadline) = 0;
  // How long it may take until a question that the server does not know is given up.
  virtual std::chrono::milliseconds patience() const { return std::chrono::seconds(5); }
};

inline constexpr std::size_t mostMessageBytes = std::size_t{64} << 20U;

// Opens a server anew with each call; what it opens outlives the function.
using OpenServer = std::function<Result<std::unique_ptr<ServerChannel>>()>;

// A program that speaks on its standard input and output (its errors go where ours go); `words` are
// its name and arguments. It leads a process group of its own: its end, by end of input, SIGTERM
// and SIGKILL in this order, is the end of all it started. `stop`: a descriptor that can be read
// when we are to stop.
OpenServer programServer(std::vector<std::string> words, int stop);
// What answers at a URL, by way of a Connector.
OpenServer remoteServer(ConnectSettings settings, int stop);

} // namespace skillhost
