// SPDX-License-Identifier: Apache-2.0
// JSON Schema (draft 7) over an instance's configuration: the only place that knows valijson.
#pragma once

#include "ground/result.hpp"
#include "plugin/setting_problem.hpp"

#include <string_view>

namespace skillhost {

// Every violation, in our words; empty when there is none. `document` is the instance's `config`.
// Failure: the schema cannot be used. Never throws.
Result<SettingProblems> checkAgainstSchema(std::string_view schema, std::string_view document);

} // namespace skillhost
