// SPDX-License-Identifier: Apache-2.0
// One JSON-RPC message, taken apart (JSON-RPC 2.0 as MCP narrows it: ids are strings or integers).
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
  std::string id; // as JSON text; of a request or a response
  std::string method;
  Json params = Json::object(); // an object, {} when there was none; of a response what it says
  bool failed = false;          // a response that is an error
  std::size_t bytes = 0;        // of the whole message as it came
};

// A message that is none: what to answer, and under which id ("null" when there was none to take).
struct Refusal {
  Failure failure;
  std::string id = "null";
  bool answer = true;
};

struct ParsedMessage {
  std::optional<Message> message;
  Refusal refusal; // when there is no message
};

// An id as JSON text; nothing when it is of a type that no id may have, or too long.
std::optional<std::string> idText(const Json &id);

// Refuses what has more than `values` JSON values, and an id or a method that is longer than any
// peer needs, before it is looked at. Never throws but for lack of memory.
ParsedMessage parseMessage(std::string_view text, std::size_t values);

} // namespace skillhost
