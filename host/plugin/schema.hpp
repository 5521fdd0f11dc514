// SPDX-License-Identifier: Apache-2.0
// JSON Schema (draft 7) over an instance's configuration: the only place that knows valijson.
#pragma once

#include "base/result.hpp"

#include <string_view>

namespace skillhost {

// Every violation, each with its path, in the failure's message. Never throws.
Status checkAgainstSchema(std::string_view schema, std::string_view document);

} // namespace skillhost
