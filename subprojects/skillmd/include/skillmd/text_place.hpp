// SPDX-License-Identifier: Apache-2.0
// Where a byte of a text stands, for people.
#pragma once

#include "skillmd/finding.hpp"

#include <string_view>

namespace skillhost {

// A finding without words, at the line and column of the byte `offset`. Linear time.
Finding placeOf(std::string_view document, std::string_view file, std::size_t offset);

} // namespace skillhost
