// SPDX-License-Identifier: Apache-2.0
// One line of the client on stdio, as far as the way it takes depends on it.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct ClientMessage {
  enum class Kind { Request, Notification, Response };
  Kind kind = Kind::Request;
  std::string id; // as JSON text; of a request
  std::string method;
  Json params = Json::object();
  std::string version; // that _meta names; empty: a message of the legacy family
  std::string line;
};

struct ReadMessage {
  std::optional<ClientMessage> message;
  std::string refusal; // the whole answer, when there is no message
};
ReadMessage readClientMessage(std::string_view line);

// A JSON-RPC error, its data telling whether the same request may be sent again.
std::string errorAnswer(std::string_view id, const Failure &failure);
std::string errorAnswer(std::string_view id, int code, std::string_view words,
                        std::string_view data);

// A message of the server.
struct ServerMessage {
  Json json;
  std::string id; // as JSON text, of an answer; "null" for an error that names none
  bool answer = false;
  std::string method; // unless it is an answer
};
// Nothing when it is no JSON-RPC message.
std::optional<ServerMessage> readServerMessage(std::string_view text);

} // namespace skillhost
