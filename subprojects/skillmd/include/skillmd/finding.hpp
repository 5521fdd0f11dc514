// SPDX-License-Identifier: Apache-2.0
// A finding: one fault or risk in a document, its place, and its remedy.
#pragma once

#include "ground/json.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace skillhost {

// Error: the skill cannot be served, or must not be published as it is. Warning: it is served, with
// something withheld or guessed. Advice: it is served as it is, but somebody should look.
enum class Severity : std::uint8_t { Error, Warning, Advice };

struct Finding {
  Severity severity = Severity::Error;
  std::string code; // kebab-case and stable, such as "description-missing"
  std::string file;
  std::size_t line = 0;   // 1-based; 0: unknown
  std::size_t column = 0; // 1-based, in characters; 0: unknown
  std::string message;
  std::string advice; // the remedy; may be empty or have several lines
  // `skillhost COMMAND` names all findings of this kind. Empty unless a filter of sources refuses
  // the skill.
  std::string command{};
};

// Returns `file:line:column: error: message [code]`, then the lines of the advice, each indented by
// two spaces. Does not end with a line break.
std::string render(const Finding &finding);
// Returns severity, id, file, line, column, reason and, if there is advice, remedy.
Json findingAsJson(const Finding &finding);

} // namespace skillhost
