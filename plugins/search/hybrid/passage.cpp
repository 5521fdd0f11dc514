// SPDX-License-Identifier: Apache-2.0
#include "passage.hpp"

namespace skillhost::hybrid {
namespace {

bool isLower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool separates(char c) { return c == '-' || c == '_' || c == '.' || c == '/' || c == ':'; }

} // namespace

std::string passageOf(std::string_view name, std::string_view description) {
  std::string passage;
  passage.reserve(name.size() + description.size() + 8);
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char here = name[at];
    if (separates(here)) {
      passage += ' ';
      continue;
    }
    const bool afterLower = at > 0 && isLower(name[at - 1]);
    const bool beforeLower = at > 0 && at + 1 < name.size() && isUpper(name[at - 1]) &&
                             name[at + 1] >= 'a' && name[at + 1] <= 'z';
    if (isUpper(here) && (afterLower || beforeLower)) passage += ' ';
    passage += here;
  }
  if (!passage.empty() && !description.empty()) passage += ": ";
  passage += description;
  return passage;
}

} // namespace skillhost::hybrid
