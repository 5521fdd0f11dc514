// SPDX-License-Identifier: Apache-2.0
// Reads the parts of a client's line on stdio that decide how the line is forwarded.
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
  std::string id; // as JSON text; set for a request
  std::string method;
  Json params = Json::object();
  std::string version; // the version in _meta; empty: a message of the legacy family
  std::string line;
};

struct ReadMessage {
  std::optional<ClientMessage> message;
  std::string refusal; // the whole answer to send if there is no message
};
ReadMessage readClientMessage(std::string_view line);

// Makes a JSON-RPC error. Its data says whether the client may send the same request again.
std::string errorAnswer(std::string_view id, const Failure &failure);
std::string errorAnswer(std::string_view id, int code, std::string_view words,
                        std::string_view data);

// One message from the server.
struct ServerMessage {
  Json json;
  std::string id; // as JSON text, for an answer; "null": an error without id
  bool answer = false;
  std::string method; // empty for an answer
};
// Returns nothing if the text is not a JSON-RPC message.
std::optional<ServerMessage> readServerMessage(std::string_view text);

} // namespace skillhost
