// SPDX-License-Identifier: Apache-2.0
// What a plugin gave as the result of a call, held to the rules of MCP before a client sees it.
#pragma once

#include "ground/json.hpp"
#include "rpc/envelope.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

enum class PluginResultKind : std::uint8_t { Tool, Prompt, Resource };

struct PluginResult {
  // The members of the result but those that are the host's to say: resultType, _meta, caching.
  Json members = Json::object();
  Json meta = Json::object();
  bool inputRequired = false;
  std::string requestState;                  // with inputRequired: as the plugin gave it
  Json missingCapabilities = Json::object(); // that it asks for and `capabilities` lacks
};

// Failure: a message for the operator, naming what is wrong.
Result<PluginResult> readPluginResult(PluginResultKind kind, std::string_view text,
                                      const Json &capabilities);

// Leaves of a tool's checked result what the setting `results` and the client want, as of our own
// tools. What has no structured content stays as it is, and so does the text of a failure.
void shapeToolResult(Json &members, ResultForm form);

// The client's capability that a question needs; empty for a method that asks nothing.
std::string_view capabilityFor(std::string_view method);

// A completion: at most 100 values.
Result<Json> readPluginCompletion(std::string_view text);

} // namespace skillhost
