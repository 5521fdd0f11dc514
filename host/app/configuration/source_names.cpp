// SPDX-License-Identifier: Apache-2.0
#include "configuration/source_names.hpp"

#include "ground/text.hpp"

#include <algorithm>

namespace skillhost::app {

std::string nameForPath(std::string_view path, const std::vector<SourceConfiguration> &taken) {
  constexpr std::size_t maxNameBytes = 60; // leaves room for a number
  while (path.ends_with('/')) path.remove_suffix(1);
  std::string name;
  for (const char c : path.substr(path.rfind('/') + 1)) {
    const char lower = asciiLowered(c);
    const bool alphanumeric = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (alphanumeric || (!name.empty() && (c == '.' || c == '_' || c == '-')))
      name += lower;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  name.resize(std::min(name.size(), maxNameBytes));
  while (!name.empty() && name.back() == '-') name.pop_back();
  if (name.empty()) name = "skills";
  const auto used = [&](const std::string &candidate) {
    return std::any_of(taken.begin(), taken.end(),
                       [&](const SourceConfiguration &source) { return source.name == candidate; });
  };
  std::string unique = name;
  for (int number = 2; used(unique); ++number) unique = name + '-' + std::to_string(number);
  return unique;
}

} // namespace skillhost::app
