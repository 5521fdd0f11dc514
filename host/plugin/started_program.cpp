// SPDX-License-Identifier: Apache-2.0
#include "started_program.hpp"

#include "ground/json.hpp"
#include "jsonschema/schema.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {

std::string startedProgram(const std::string &schema, const std::string &config) {
  if (schema.find("x-starts-program") == std::string::npos) return {};
  const Result<Json> whole = parseJson(schema);
  if (!whole || !whole->is_object() || !whole->contains("x-starts-program")) return {};
  for (const Json &one : whole->at("x-starts-program")) {
    if (!one.is_object() || !one.contains("program") || !one.contains("when") ||
        !one.at("program").is_string())
      continue;
    const Result<SettingProblems> problems = checkAgainstSchema(one.at("when").dump(), config);
    if (problems && problems->empty()) return one.at("program").get<std::string>();
  }
  return {};
}

} // namespace skillhost
