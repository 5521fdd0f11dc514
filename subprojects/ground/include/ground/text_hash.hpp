// SPDX-License-Identifier: Apache-2.0
// Lets hashed containers of strings be searched with views, without making a string.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace skillhost {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};

} // namespace skillhost
