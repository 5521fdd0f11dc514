// SPDX-License-Identifier: Apache-2.0
// Reads the result of a plugin's call, and checks it against the rules of MCP before a client sees
// it.
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
  // The members of the result, except those that the host sets: resultType, _meta, caching.
  Json members = Json::object();
  Json meta = Json::object();
  bool inputRequired = false;
  std::string requestState;                  // with inputRequired, as the plugin gave it
  Json missingCapabilities = Json::object(); // requested, but not in `capabilities`
};

// Fails with a message for the operator that names the fault.
Result<PluginResult> readPluginResult(PluginResultKind kind, std::string_view text,
                                      const Json &capabilities);

// Reduces a tool's checked result to the form that the setting `results` and the client want, as
// for our own tools. A result without structured content stays as it is, and so does the text of a
// failure.
void shapeToolResult(Json &members, ResultForm form);

// Returns the client's capability that a question needs; empty if the method asks nothing.
std::string_view capabilityFor(std::string_view method);

// Reads a completion and keeps at most 100 values.
Result<Json> readPluginCompletion(std::string_view text);

} // namespace skillhost
