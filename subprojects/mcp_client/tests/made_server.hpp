// SPDX-License-Identifier: Apache-2.0
// A server for tests: a function answers each request.
#pragma once

#include "ground/json.hpp"
#include "mcp_client/conversation.hpp"

#include <nlohmann/json.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace skillhost {

class MadeServer final : public ServerChannel {
public:
  // Gets a request, and returns the answer without its id.
  using Answers = std::function<Json(const Json &request)>;

  explicit MadeServer(Answers answers) : answers_(std::move(answers)) {}

  Status send(std::string_view message, Deadline) override {
    const Json request = Json::parse(message);
    Json answer = answers_(request);
    answer["jsonrpc"] = "2.0";
    answer["id"] = request["id"];
    waiting_.push_back(answer.dump());
    return Done{};
  }
  Result<std::string> receive(Deadline) override {
    if (waiting_.empty()) return {Fault::ToolTimeout, "nothing comes"};
    std::string first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }

private:
  const Answers answers_;
  std::deque<std::string> waiting_;
};

inline Conversation conversationWith(MadeServer::Answers answers) {
  return Conversation(std::make_unique<MadeServer>(std::move(answers)));
}

} // namespace skillhost
