// SPDX-License-Identifier: Apache-2.0
#include "base/http.hpp"

#include "ground/text.hpp"

namespace skillhost {

std::string mediaTypeOf(std::string_view field) {
  return asciiLowered(trimmedSpacesAndTabs(field.substr(0, field.find(';'))));
}

} // namespace skillhost
