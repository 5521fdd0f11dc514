// SPDX-License-Identifier: Apache-2.0
#include "base/http.hpp"

#include <algorithm>
#include <cctype>

namespace skillhost {

std::string mediaTypeOf(std::string_view field) {
  constexpr std::string_view blanks = " \t";
  field = field.substr(0, field.find(';'));
  const std::size_t begin = std::min(field.find_first_not_of(blanks), field.size());
  std::string type(field.substr(begin, field.find_last_not_of(blanks) + 1 - begin));
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return type;
}

} // namespace skillhost
