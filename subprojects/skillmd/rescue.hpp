// SPDX-License-Identifier: Apache-2.0
// Reads front matter that YAML refuses as a person reads it: the fields YAML cannot read are
// rewritten, line for line, and the whole is read again as YAML.
#pragma once

#include "skillmd/front_matter.hpp"

#include <string_view>

namespace skillhost {

// `refused`: what reading the document as it is written came to; it is returned when a person could
// not say either what was meant. Otherwise its findings are warnings, each with what to write. The
// time is linear: a field is read at most five times.
FrontMatterResult rescueFrontMatter(std::string_view document, std::string_view file,
                                    FrontMatterResult refused);

} // namespace skillhost
