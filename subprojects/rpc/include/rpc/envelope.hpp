// SPDX-License-Identifier: Apache-2.0
// The envelope of every tool result: structured content for programs, readable text for the model.
// A host that runs a model gives it one of the two, or both: what the model reads goes over once.
#pragma once

#include "ground/fragments.hpp"
#include "ground/json.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace skillhost {

// What of a result is sent. Text: what stands around the data goes to _meta. Structured: only a
// failure has text.
enum class ResultForm : std::uint8_t { Both, Text, Structured };

// What a tool answers when it succeeds. Both are serialised already, so that an answer which is
// given often is written once.
struct ToolResult {
  Fragments data; // a JSON object
  Fragments text; // a JSON string, quotes included
  Fragments
      blocks; // of content besides the text, such as images: JSON objects, a comma before each
  std::string meta; // members of the result's _meta; empty: none
  bool cached = false;
  bool truncated = false;
  bool partial = false; // asked again in a moment, the tool may tell more
  // How many of the skills a search looks at by now, while its index grows.
  struct Indexed {
    std::size_t done = 0, total = 0;
  };
  std::optional<Indexed> indexed;
  std::string notice; // a line for the model beside the text; empty: none
};

// From values; `text` is plain.
ToolResult toolResult(const Json &data, std::string_view text);

// What a tool answers when it fails.
struct ToolFailure {
  Failure failure;
  std::string context;                     // a JSON object, or empty
  std::chrono::milliseconds retryAfter{0}; // 0: no advice
};

struct Envelope {
  // Of a CallToolResult without the braces around it and without its _meta, so that a revision of
  // the protocol can add its own: "content":[…][,"structuredContent":{…}][,"isError":true].
  Fragments members;
  std::string meta; // members of its _meta; empty: none
};

Envelope envelope(const ToolResult &result, std::chrono::milliseconds duration,
                  ResultForm form = ResultForm::Both);
Envelope envelope(const ToolFailure &failure, std::chrono::milliseconds duration,
                  ResultForm form = ResultForm::Both);

} // namespace skillhost
