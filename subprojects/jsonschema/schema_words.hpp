// SPDX-License-Identifier: Apache-2.0
// Explains which rules of a JSON Schema a value breaks, in words that say what to write.
#pragma once

#include "jsonschema/setting_problem.hpp"

#include <nlohmann/json_fwd.hpp>

namespace skillhost {

// For a value that a validator has refused. Knows type, const, enum, the limits, pattern, required,
// properties, additionalProperties, items and $ref within the document; violations of other rules
// are not found.
SettingProblems explainViolations(const nlohmann::json &schema, const nlohmann::json &value);

} // namespace skillhost
