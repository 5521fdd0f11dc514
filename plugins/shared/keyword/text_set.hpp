// SPDX-License-Identifier: Apache-2.0
// Hashed containers of strings that can be searched with a view, without making a string of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace skillhost::keyword {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};

using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

} // namespace skillhost::keyword
