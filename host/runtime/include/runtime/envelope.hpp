// SPDX-License-Identifier: Apache-2.0
// The envelope of every tool result: structured content for programs, readable text for the model.
#pragma once

#include "base/fragments.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

#include <chrono>
#include <string>

namespace skillhost {

// What a tool answers when it succeeds. Both are serialised already, so that an answer which is
// given often is written once.
struct ToolResult {
  Fragments data;   // a JSON object
  Fragments text;   // a JSON string, quotes included
  std::string meta; // members of the result's _meta; empty: none
  bool cached = false;
  bool truncated = false;
  bool limited = true; // by the size of an answer; false: it has a limit of its own
};

// From values; `text` is plain.
ToolResult toolResult(const Json &data, std::string_view text);

// What a tool answers when it fails.
struct ToolFailure {
  Failure failure;
  std::string context;                     // a JSON object, or empty
  std::chrono::milliseconds retryAfter{0}; // 0: no advice
};

// The members of a CallToolResult without the braces around it, so that a protocol revision can add
// its own: "content":[…],"structuredContent":{…}[,"isError":true].
Fragments envelope(const ToolResult &result, std::chrono::milliseconds duration);
Fragments envelope(const ToolFailure &failure, std::chrono::milliseconds duration);

} // namespace skillhost
