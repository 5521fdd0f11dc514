// SPDX-License-Identifier: Apache-2.0
// The attributes of entries, and what a query demands of them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::keyword {

// (name, value) pairs, sorted; a name with several values occurs several times.
using Attributes = std::vector<std::pair<std::string, std::string>>;

// The strings, and arrays of strings, of a JSON object; other values are left out. Empty text is an
// empty object. Throws std::invalid_argument when it is anything else.
Attributes parseAttributes(std::string_view json);
// The values an attribute has.
std::vector<std::string_view> valuesOf(const Attributes &attributes, std::string_view name);

class Filter {
public:
  // Empty, or a JSON object of attribute name -> array of accepted strings. Throws
  // std::invalid_argument naming what is wrong.
  explicit Filter(std::string_view json);
  bool everything() const noexcept { return demands_.empty(); }
  // Whether there is an accepted value for every attribute named.
  bool accepts(const Attributes &attributes) const;
  const std::vector<std::pair<std::string, std::vector<std::string>>> &demands() const noexcept {
    return demands_;
  }

private:
  std::vector<std::pair<std::string, std::vector<std::string>>> demands_;
};

} // namespace skillhost::keyword
