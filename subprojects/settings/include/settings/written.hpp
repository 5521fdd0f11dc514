// SPDX-License-Identifier: Apache-2.0
// A configuration as it was written: a tree of values with their lines and columns.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::settings {

struct Member;

struct Written {
  enum class Kind : std::uint8_t { Null, Boolean, Integer, Number, Text, List, Map };

  Kind kind = Kind::Null;
  int line = 0; // from 1; 0: not from a file
  int column = 0;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text; // spelling of any scalar
  std::vector<Written> items;
  std::vector<Member> members; // in order, without duplicates

  // Returns the member's value, or nullptr.
  const Written *find(std::string_view name) const noexcept;
  // Returns `a list`, `the number 7` or `"abc"`, cut to a readable length, for messages.
  std::string described() const;

  static Written ofText(std::string text);
};

struct Member {
  std::string name;
  int line = 0;
  int column = 0;
  Written value;
};

// Resolves an unquoted scalar by YAML 1.2's core schema: null, boolean, integer, number or text.
Written plainScalar(std::string text);

// Reads one YAML or JSON document. Refuses, with "line:column: why", syntax errors, invalid UTF-8,
// more than one document, equal keys, aliases, tags, more than 32 levels and more than 1 MiB. An
// empty text is Null. Never throws.
Result<Written> readDocument(std::string_view text);
// Returns the reason why the text is not JSON, as "line:column: why"; empty if it is JSON.
std::string whyNotJson(std::string_view text);

} // namespace skillhost::settings
