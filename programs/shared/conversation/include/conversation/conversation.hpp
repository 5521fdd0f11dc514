// SPDX-License-Identifier: Apache-2.0
// Sends requests to a server and receives its answers (JSON-RPC 2.0), one at a time.
#pragma once

#include "conversation/server_channel.hpp"
#include "ground/deadline.hpp"
#include "ground/json.hpp"
#include "ground/result.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace skillhost {

// Used by one thread only.
class Conversation {
public:
  explicit Conversation(std::unique_ptr<ServerChannel> channel) : channel_(std::move(channel)) {}

  // An error answer of the server.
  struct Refusal {
    int code = 0;
    std::string words; // in one line
    Json data;
  };
  struct Reply {
    Json result; // an object, unless refused
    std::optional<Refusal> refusal;
  };
  // Asks and waits for the answer. Meanwhile it ignores notifications, lines that are not JSON
  // (with a warning) and late answers, and refuses the server's own requests. A failure's message
  // names the method.
  Result<Reply> ask(const std::string &method, const Json &params, Deadline deadline);
  Status tell(const std::string &method, Deadline deadline);
  std::chrono::milliseconds patience() const { return channel_->patience(); }

private:
  Result<Reply> await(const std::string &method, std::uint64_t id, Deadline deadline);
  Status passOver(std::string_view line);
  Status answer(const Json &request, Deadline deadline);

  std::unique_ptr<ServerChannel> channel_;
  std::uint64_t lastId_ = 0;
  std::size_t bytes_ = 0, passedOver_ = 0;
};

// Makes a stranger's words safe for a message: one line, at most 300 bytes, nothing that controls a
// terminal.
std::string shownWords(std::string_view words);

} // namespace skillhost
