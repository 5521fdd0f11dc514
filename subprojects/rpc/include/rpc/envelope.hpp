// SPDX-License-Identifier: Apache-2.0
// The envelope of every tool result: structured content for programs, readable text for the model.
// A host gives its model one of the two or both. With ResultForm the server can send only one, so
// that the model does not read the same twice.
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

// The parts of a result that are sent. In the form Text, the metadata goes to _meta and the data is
// left out. In the form Structured, only a failure has text.
enum class ResultForm : std::uint8_t { Both, Text, Structured };

// The answer of a tool that succeeds. Data and text are serialised already, so that an answer which
// is given often is serialised once.
struct ToolResult {
  Fragments data;   // a JSON object
  Fragments text;   // a JSON string, quotes included
  Fragments blocks; // content besides the text, such as images: JSON objects, a comma before each
  std::string meta; // members of the result's _meta; may be empty
  bool cached = false;
  bool truncated = false;
  bool partial = false; // a call in a moment may return more
  // Progress of the search index while it grows: the skills that a search finds now, and all
  // skills.
  struct Indexed {
    std::size_t done = 0, total = 0;
  };
  std::optional<Indexed> indexed;
  std::string notice; // a line for the model beside the text; may be empty
};

// Builds a result from values; `text` is plain text.
ToolResult toolResult(const Json &data, std::string_view text);

// The answer of a tool that fails.
struct ToolFailure {
  Failure failure;
  std::string context;                     // a JSON object, or empty
  std::chrono::milliseconds retryAfter{0}; // 0: no advice
};

struct Envelope {
  // Members of a CallToolResult without its braces and its _meta, so that each revision of the
  // protocol can add its own: "content":[…][,"structuredContent":{…}][,"isError":true].
  Fragments members;
  std::string meta; // members of its _meta; may be empty
};

Envelope envelope(const ToolResult &result, std::chrono::milliseconds duration,
                  ResultForm form = ResultForm::Both);
Envelope envelope(const ToolFailure &failure, std::chrono::milliseconds duration,
                  ResultForm form = ResultForm::Both);

} // namespace skillhost
