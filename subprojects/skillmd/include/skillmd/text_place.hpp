// SPDX-License-Identifier: Apache-2.0
// Converts the position of a byte into a line and a column.
#pragma once

#include "skillmd/finding.hpp"

#include <string_view>

namespace skillhost {

// Returns a finding without text, at the line and column of the byte `offset`. Takes linear time.
Finding placeOf(std::string_view document, std::string_view file, std::size_t offset);

} // namespace skillhost
