// SPDX-License-Identifier: Apache-2.0
// Pieces of OTLP in JSON (opentelemetry.io/docs/specs/otlp, JSON Protobuf encoding): 64-bit numbers
// are texts, ids are hexadecimal digits.
#pragma once

#include "ground/json_member.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::telemetry {

// The elements of a JSON list of attributes, separated by commas.
class Attributes {
public:
  void add(std::string_view key, std::string_view text); // an empty text is left out
  void add(std::string_view key, std::int64_t number);
  // Adds a text, a number or a boolean with its type, and any other value as its JSON text.
  void addJson(std::string_view key, const Json &value);
  std::string list() const { return '[' + elements_ + ']'; }

private:
  void begin(std::string_view key);
  std::string elements_;
};

// Returns {"attributes":[…]} of this process.
std::string resourceText(std::string_view serviceVersion, std::string_view instanceId);

// Returns a whole request with one resource and one scope. `resources`, `scopes` and `items` are
// the names of the lists, such as resourceSpans, scopeSpans and spans. `elements` are those of the
// last list.
std::string requestText(std::string_view resources, std::string_view scopes, std::string_view items,
                        std::string_view resource, std::string_view elements);

} // namespace skillhost::telemetry
