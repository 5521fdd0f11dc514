// SPDX-License-Identifier: Apache-2.0
#include "handlers/fact_rules.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace skillhost {
namespace {

bool isSmallLetter(char c) noexcept { return c >= 'a' && c <= 'z'; }

} // namespace

bool isFactName(std::string_view name) noexcept {
  return !name.empty() && name.size() <= maxFactNameBytes && isSmallLetter(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return isSmallLetter(c) || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
         });
}

bool isFactValue(const Json &value) {
  if (value.is_string()) return value.get_ref<const std::string &>().size() <= maxFactTextBytes;
  return value.is_boolean() || value.is_number();
}

} // namespace skillhost
