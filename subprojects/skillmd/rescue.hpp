// SPDX-License-Identifier: Apache-2.0
// Reads front matter that YAML refuses as a person reads it. It rewrites the fields that YAML
// cannot read, line for line, and reads the whole as YAML again.
#pragma once

#include "skillmd/front_matter.hpp"

#include <string_view>

namespace skillhost {

// `refused` is the result of reading the document as written. It is returned if even a person could
// not say what was meant. Otherwise its findings become warnings, each with a remedy. The time is
// linear: a field is read at most five times.
FrontMatterResult rescueFrontMatter(std::string_view document, std::string_view file,
                                    FrontMatterResult refused);

} // namespace skillhost
