// SPDX-License-Identifier: Apache-2.0
// Checks documents against a JSON Schema (draft 7). Only this folder uses valijson.
#pragma once

#include "ground/result.hpp"
#include "jsonschema/setting_problem.hpp"

#include <string_view>

namespace skillhost {

// Returns every violation in our words; empty if there is none. They call the document `config`.
// `otherwise` is the text for a place that only a combination of rules refuses. Fails with the
// reason if the schema cannot be used. Throws nothing but std::bad_alloc.
Result<SettingProblems> checkAgainstSchema(std::string_view schema, std::string_view document,
                                           std::string_view otherwise = "does not fit the schema");

} // namespace skillhost
