// SPDX-License-Identifier: Apache-2.0
// A configuration as somebody wrote it: a tree of values that know their line and column.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

struct Member;

struct Written {
  enum class Kind : std::uint8_t { Null, Boolean, Integer, Number, Text, List, Map };

  Kind kind = Kind::Null;
  int line = 0; // from 1; 0: not from a file
  int column = 0;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text; // of any scalar, as it was written
  std::vector<Written> items;
  std::vector<Member> members; // in order, no name twice

  // The member's value, nullptr when there is none.
  const Written *find(std::string_view name) const noexcept;
  // `a list`, `the number 7`, `"abc"`: for messages, cut to a readable length.
  std::string described() const;

  static Written ofText(std::string text);
};

struct Member {
  std::string name;
  int line = 0;
  int column = 0;
  Written value;
};

// What an unquoted scalar means in YAML 1.2's core schema: null, boolean, integer, number or text.
Written plainScalar(std::string text);

// Reads one YAML or JSON document. Refused, with "line:column: why": syntax errors, invalid UTF-8,
// more than one document, equal keys, aliases, tags, nesting over 32, more than 1 MiB. An empty
// text is Null. Never throws.
Result<Written> readDocument(std::string_view text);
// Says what keeps the text from being JSON, as "line:column: why"; returns an empty text when it is
// JSON.
std::string whyNotJson(std::string_view text);

} // namespace skillhost::app
