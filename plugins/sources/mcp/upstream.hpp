// SPDX-License-Identifier: Apache-2.0
// The server that a source reads, whatever carries the messages.
#pragma once

#include "mcp_client/greeting.hpp"
#include "mcp_client/server_channel.hpp"
#include "remote/operation.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

namespace skillhost::mcp_source {

constexpr int internalError = -32603, methodNotFound = -32601; // codes of JSON-RPC

// A JSON value such as [] takes three bytes of text and a hundred of memory. A message with a file
// has one long value, lists have some 30 bytes for each.
constexpr std::size_t maxMessageDepth = 128, fewValues = 10'000;
constexpr std::size_t mostValuesIn(std::size_t bytesOfMessage) noexcept {
  return fewValues + bytesOfMessage / 16;
}

class SourceChannel : public ServerChannel {
public:
  // Limits each answer to a request that is sent from now on.
  virtual void limitAnswers(std::size_t bytes) noexcept = 0;
  // Takes the warnings so far.
  virtual std::deque<std::string> takeWarnings() = 0;
};

// A conversation that has begun. It is over, or given back, when it is destroyed.
class Connection {
public:
  Connection() = default;
  virtual ~Connection() = default;
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;

  virtual GreetedServer &server() noexcept = 0;
  virtual SourceChannel &channel() noexcept = 0;
  // Reports that all went well. A connection without this report is not used again.
  virtual void succeed() noexcept {}
};

class Upstream {
public:
  Upstream() = default;
  virtual ~Upstream() = default;
  Upstream(const Upstream &) = delete;
  Upstream &operator=(const Upstream &) = delete;

  // Opens a conversation, or continues one. The operation must outlive the connection, and only one
  // connection may exist at a time. Throws what the operation throws, and remote::RemoteError.
  virtual std::unique_ptr<Connection> connect(remote::Operation &operation) = 0;
};

} // namespace skillhost::mcp_source
