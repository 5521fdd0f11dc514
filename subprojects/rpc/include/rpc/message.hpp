// SPDX-License-Identifier: Apache-2.0
// A parsed JSON-RPC 2.0 message. MCP allows only strings and integers as ids.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct Message {
  enum class Kind { Request, Notification, Response };
  Kind kind = Kind::Request;
  std::string id; // as JSON text, in a request or a response
  std::string method;
  Json params = Json::object(); // {} if there were none; in a response, its result or error
  bool failed = false;          // the response is an error
  std::size_t bytes = 0;        // size of the whole message as received
};

// The answer to a text that is no valid message, and the id to answer with ("null" if none could be
// read).
struct Refusal {
  Failure failure;
  std::string id = "null";
  bool mustAnswer = true; // false: the text was a notification, which is never answered
};

struct ParsedMessage {
  std::optional<Message> message;
  Refusal refusal; // set if there is no message
};

// Returns an id as JSON text, or nothing if no id may have its type or it is too long.
std::optional<std::string> idText(const Json &id);

// Refuses a text with more than `values` JSON values, and an id or a method that is longer than any
// peer needs. Throws only if memory runs out.
ParsedMessage parseMessage(std::string_view text, std::size_t values);

} // namespace skillhost
