// SPDX-License-Identifier: Apache-2.0
#include "ground/constant_time.hpp"

#include <cstddef>

namespace skillhost {

bool equalInConstantTime(std::string_view left, std::string_view right) noexcept {
  if (left.size() != right.size()) return false;
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    difference = static_cast<unsigned char>(
        difference | (static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i])));
  return difference == 0;
}

} // namespace skillhost
