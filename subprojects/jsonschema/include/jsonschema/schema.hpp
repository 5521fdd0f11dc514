// SPDX-License-Identifier: Apache-2.0
// JSON Schema (draft 7): the only place that knows valijson.
#pragma once

#include "ground/result.hpp"
#include "jsonschema/setting_problem.hpp"

#include <string_view>

namespace skillhost {

// Every violation, in our words; empty when there is none. `document` is called `config` in them.
// `otherwise` is said of a place that only a combination of rules refuses. The failure says why the
// schema cannot be used. Throws nothing but std::bad_alloc.
Result<SettingProblems> checkAgainstSchema(std::string_view schema, std::string_view document,
                                           std::string_view otherwise = "does not fit the schema");

} // namespace skillhost
