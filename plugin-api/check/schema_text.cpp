// SPDX-License-Identifier: Apache-2.0
#include "schema_text.hpp"

#include "ground/json.hpp"
#include "ground/utf8.hpp"
#include "jsonschema/schema.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace skillhost::check {
namespace {

// Calls `take` with every pattern of `schema` and of the schemas in it. A setting may be named
// "pattern" as well, so only the words of JSON Schema are followed.
template <class Take> void eachPattern(const Json &schema, const Take &take) {
  static const std::set<std::string, std::less<>> byName{"properties", "patternProperties",
                                                         "definitions", "$defs", "dependencies"};
  static const std::set<std::string, std::less<>> several{"items", "allOf", "anyOf", "oneOf"};
  static const std::set<std::string, std::less<>> single{"items",
                                                         "additionalItems",
                                                         "additionalProperties",
                                                         "contains",
                                                         "propertyNames",
                                                         "not",
                                                         "if",
                                                         "then",
                                                         "else"};
  if (!schema.is_object()) return;
  for (const auto &[word, value] : schema.items()) {
    if (word == "pattern" && value.is_string()) take(value.template get_ref<const std::string &>());
    if (word == "patternProperties" && value.is_object())
      for (const auto &[pattern, unused] : value.items()) take(pattern);
    const bool holdsSchemas = (byName.contains(word) && value.is_object()) ||
                              (several.contains(word) && value.is_array());
    if (holdsSchemas)
      for (const Json &one : value) eachPattern(one, take);
    else if (single.contains(word))
      eachPattern(value, take);
  }
}

} // namespace

std::string faultInSchema(std::string_view schema) {
  if (const auto used = checkAgainstSchema(schema, "{}"); !used) return used.failure().message;
  const Result<Json> rules = parseJson(schema);
  if (!rules) return rules.failure().message;
  std::string fault;
  eachPattern(*rules, [&](const std::string &pattern) {
    if (!fault.empty()) return;
    const auto used = checkAgainstSchema(Json{{"pattern", pattern}}.dump(), R"("")");
    if (!used)
      fault = "the pattern \"" + std::string(cutUtf8(pattern, 200)) +
              "\" is no regular expression: " + used.failure().message;
  });
  return fault;
}

} // namespace skillhost::check
