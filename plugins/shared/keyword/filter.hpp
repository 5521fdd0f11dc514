// SPDX-License-Identifier: Apache-2.0
// The filter of a query: it says which values each attribute of an entry must have.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::keyword {

// (name, value) pairs, sorted; a name with several values occurs several times.
using Attributes = std::vector<std::pair<std::string, std::string>>;

// Reads the strings and arrays of strings of a JSON object and ignores other values. Empty text is
// an empty object. Throws std::invalid_argument if the text is anything else.
Attributes parseAttributes(std::string_view json);
// Returns all values of an attribute.
std::vector<std::string_view> valuesOf(const Attributes &attributes, std::string_view name);

class Filter {
public:
  // `json` is empty or a JSON object of attribute name -> array of accepted strings. Throws
  // std::invalid_argument that names the fault.
  explicit Filter(std::string_view json);
  bool acceptsEverything() const noexcept { return conditions_.empty(); }
  // True if every named attribute has an accepted value.
  bool accepts(const Attributes &attributes) const;
  const std::vector<std::pair<std::string, std::vector<std::string>>> &conditions() const noexcept {
    return conditions_;
  }

private:
  std::vector<std::pair<std::string, std::vector<std::string>>> conditions_;
};

} // namespace skillhost::keyword
