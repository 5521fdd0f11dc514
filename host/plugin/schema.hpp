// SPDX-License-Identifier: Apache-2.0
// JSON Schema (draft 7) over an instance's configuration: the only place that knows valijson.
#pragma once

#include "ground/result.hpp"
#include "plugin/setting_problem.hpp"

#include <string_view>

namespace skillhost {

// Returns every violation, in our words. `document` is the instance's `config`. Fails if the schema
// cannot be used. Throws only if memory runs out.
Result<SettingProblems> checkAgainstSchema(std::string_view schema, std::string_view document);

} // namespace skillhost
