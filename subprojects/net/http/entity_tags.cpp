// SPDX-License-Identifier: Apache-2.0
#include "net/entity_tags.hpp"

#include <algorithm>

namespace skillhost {

bool holdsTag(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    while (one.starts_with(' ') || one.starts_with('\t')) one.remove_prefix(1);
    while (one.ends_with(' ') || one.ends_with('\t')) one.remove_suffix(1);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == "*" || one == tag) return true;
  }
  return false;
}

} // namespace skillhost
