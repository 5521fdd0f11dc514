// SPDX-License-Identifier: Apache-2.0
// What a value breaks of a JSON Schema, in words that say what to write.
#pragma once

#include "jsonschema/setting_problem.hpp"

#include <nlohmann/json_fwd.hpp>

namespace skillhost {

// Of a value that a validator has refused. Knows type, const, enum, the limits, pattern, required,
// properties, additionalProperties, items and $ref within the document; what only other rules
// refuse is not found.
SettingProblems explainViolations(const nlohmann::json &schema, const nlohmann::json &value);

} // namespace skillhost
