// SPDX-License-Identifier: Apache-2.0
// A finding: one thing that is wrong or unwise in a document, where it is, and what to write
// instead.
#pragma once

#include "ground/json.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace skillhost {

// Error: the skill cannot be served, or must not be published as it is. Warning: served, with
// something withheld or guessed. Advice: served as it is, but somebody should look.
enum class Severity : std::uint8_t { Error, Warning, Advice };

struct Finding {
  Severity severity = Severity::Error;
  std::string code; // kebab-case and stable, such as "description-missing"
  std::string file;
  std::size_t line = 0;   // 1-based, 0 when unknown
  std::size_t column = 0; // 1-based, in characters, 0 when unknown
  std::string message;
  std::string advice; // what to write instead; may be empty and may have several lines
};

// `file:line:column: error: message [code]`, then the advice, each of its lines indented by two
// spaces. No line break at the end.
std::string render(const Finding &finding);
// severity, id, file, line, column, reason and, if there is advice, remedy.
Json findingAsJson(const Finding &finding);

} // namespace skillhost
