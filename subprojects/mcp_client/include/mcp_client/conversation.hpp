// SPDX-License-Identifier: Apache-2.0
// Sends requests to a server and receives its answers (JSON-RPC 2.0), one at a time.
#pragma once

#include "ground/deadline.hpp"
#include "ground/json.hpp"
#include "ground/result.hpp"
#include "mcp_client/server_channel.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  // Does the same for several requests, and sends all of them before it waits, so that a distant
  // server costs one round trip. Returns a reply for each of `params`, in their order. Pass at most
  // 64: then the answers that wait never fill the channel.
  Result<std::vector<Reply>> askTogether(const std::string &method, const std::vector<Json> &params,
                                         Deadline deadline);
  Status tell(const std::string &method, Deadline deadline);
  // Answers a request of the server, which has an id: a ping with an empty result, others with a
  // refusal.
  Status answer(const Json &request, Deadline deadline);
  std::chrono::milliseconds patience() const { return channel_->patience(); }
  // Accepts so many more bytes of answers than the 128 MiB that every server may send.
  void allowMore(std::size_t bytes) noexcept { allowedBytes_ += bytes; }

  // Forgets what counts against the limits so far. Call it before each use of a conversation that
  // lasts for long.
  void resetLimits() noexcept {
    bytes_ = ignoredLines_ = 0;
    allowedBytes_ = usualBytes;
  }

private:
  static constexpr std::size_t usualBytes = std::size_t{128} << 20U;
  using Awaited = std::map<std::uint64_t, std::optional<Reply>>; // by the id of the request
  Status await(const std::string &method, Awaited &awaited, Deadline deadline);
  Status ignoreLine(std::string_view line);

  std::unique_ptr<ServerChannel> channel_;
  std::uint64_t lastId_ = 0;
  std::size_t bytes_ = 0, allowedBytes_ = usualBytes; // of all answers
  std::size_t ignoredLines_ = 0;
};

// Makes a stranger's words safe for a message: one line, at most 300 bytes, nothing that controls a
// terminal.
std::string shownWords(std::string_view words);

} // namespace skillhost
