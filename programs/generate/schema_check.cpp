// SPDX-License-Identifier: Apache-2.0
#include "schema_check.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace skillhost {
namespace {

constexpr std::size_t maxSteps = 5'000;
constexpr int maxDepth = 64;

Fit both(Fit one, Fit other) { return std::max(one, other); }
Fit asFit(bool fits) { return fits ? Fit::Yes : Fit::No; }

bool isKind(const Json &value, const std::string &kind) {
  if (kind == "integer")
    return value.is_number_integer() ||
           (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
  if (kind == "number") return value.is_number();
  if (kind == "string") return value.is_string();
  if (kind == "boolean") return value.is_boolean();
  if (kind == "null") return value.is_null();
  if (kind == "object") return value.is_object();
  return kind == "array" && value.is_array();
}

std::optional<double> numberIn(const Json &schema, const char *key) {
  const auto number = schema.find(key);
  if (number == schema.end() || !number->is_number()) return std::nullopt;
  return number->get<double>();
}
bool isTrue(const Json &schema, const char *key) {
  const auto member = schema.find(key);
  return member != schema.end() && *member == true;
}

Fit ofKind(const Json &schema, const Json &value) {
  if (isTrue(schema, "nullable") && value.is_null()) return Fit::Yes;
  const auto kind = schema.find("type");
  if (kind == schema.end()) return Fit::Yes;
  if (kind->is_string()) return asFit(isKind(value, kind->get<std::string>()));
  if (!kind->is_array()) return Fit::Unsure;
  return asFit(std::any_of(kind->begin(), kind->end(), [&](const Json &one) {
    return one.is_string() && isKind(value, one.get<std::string>());
  }));
}

Fit ofNumber(const Json &schema, double value) {
  // In draft 4, the exclusive limits are flags that modify the others.
  if (const auto minimum = numberIn(schema, "minimum");
      minimum && (value < *minimum || (value <= *minimum && isTrue(schema, "exclusiveMinimum"))))
    return Fit::No;
  if (const auto maximum = numberIn(schema, "maximum");
      maximum && (value > *maximum || (value >= *maximum && isTrue(schema, "exclusiveMaximum"))))
    return Fit::No;
  if (const auto minimum = numberIn(schema, "exclusiveMinimum"); minimum && value <= *minimum)
    return Fit::No;
  if (const auto maximum = numberIn(schema, "exclusiveMaximum"); maximum && value >= *maximum)
    return Fit::No;
  const auto step = numberIn(schema, "multipleOf");
  if (!step || *step <= 0) return Fit::Yes;
  const double times = value / *step;
  return asFit(std::abs(times - std::round(times)) < 1e-9);
}

// Checks a size against two limits.
Fit ofSize(const Json &schema, const char *minimumKey, const char *maximumKey, std::size_t size) {
  const auto minimum = numberIn(schema, minimumKey), maximum = numberIn(schema, maximumKey);
  const auto exact = static_cast<double>(size);
  return asFit((!minimum || exact >= *minimum) && (!maximum || exact <= *maximum));
}

bool hasTwice(const Json &list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (list[i] == list[j]) return true;
  return false;
}

} // namespace

Fit SchemaCheck::check(const Json &schema, const Json &value) {
  steps_ = 0;
  depth_ = 0;
  return evaluate(schema, value);
}

Fit SchemaCheck::evaluate(const Json &schema, const Json &value) {
  if (schema.is_boolean()) return asFit(schema.get<bool>());
  if (!schema.is_object() || ++steps_ > maxSteps || depth_ >= maxDepth) return Fit::Unsure;
  ++depth_;
  const Fit fit = evaluateRules(schema, value);
  --depth_;
  return fit;
}

Fit SchemaCheck::evaluateRules(const Json &schema, const Json &value) {
  Fit fit = ofKind(schema, value);
  if (const std::string reference = SchemaDocument::referenceIn(schema); !reference.empty()) {
    const Json *target = document_.resolve(reference).target;
    fit = both(fit, target == nullptr ? Fit::Unsure : evaluate(*target, value));
  }
  if (const auto only = schema.find("const"); only != schema.end())
    fit = both(fit, asFit(*only == value));
  if (const auto choices = schema.find("enum"); choices != schema.end() && choices->is_array())
    fit = both(fit, asFit(std::find(choices->begin(), choices->end(), value) != choices->end()));
  if (fit == Fit::No) return fit;
  if (value.is_number()) fit = both(fit, ofNumber(schema, value.get<double>()));
  if (value.is_string()) fit = both(fit, ofText(schema, value.get_ref<const std::string &>()));
  if (value.is_object()) fit = both(fit, ofObject(schema, value));
  if (value.is_array()) fit = both(fit, ofArray(schema, value));
  return fit == Fit::No ? fit : both(fit, combinations(schema, value));
}

Fit SchemaCheck::combinations(const Json &schema, const Json &value) {
  Fit fit = Fit::Yes;
  if (const auto all = schema.find("allOf"); all != schema.end() && all->is_array())
    for (const Json &one : *all) fit = both(fit, evaluate(one, value));
  for (const char *key : {"anyOf", "oneOf"}) {
    const auto any = schema.find(key);
    if (any == schema.end() || !any->is_array() || fit == Fit::No) continue;
    std::array<std::size_t, 3> counts{};
    for (const Json &one : *any) ++counts.at(static_cast<std::size_t>(evaluate(one, value)));
    const auto [yes, unsure, no] = counts;
    const bool one = *key == 'o';
    if (yes + unsure == 0 || (one && yes > 1)) return Fit::No;
    if (one ? unsure > 0 : yes == 0) fit = both(fit, Fit::Unsure);
  }
  if (const auto denied = schema.find("not"); denied != schema.end()) {
    const Fit inner = evaluate(*denied, value);
    fit = both(fit, inner == Fit::Yes ? Fit::No : inner == Fit::No ? Fit::Yes : Fit::Unsure);
  }
  if (const auto condition = schema.find("if"); condition != schema.end()) {
    const Fit holds = evaluate(*condition, value);
    const auto next = schema.find(holds == Fit::Yes ? "then" : "else");
    if (holds == Fit::Unsure)
      fit = both(fit, Fit::Unsure);
    else if (next != schema.end())
      fit = both(fit, evaluate(*next, value));
  }
  return fit;
}

Fit SchemaCheck::ofText(const Json &schema, const std::string &text) const {
  const Fit fit = ofSize(schema, "minLength", "maxLength", countCharacters(text));
  return schema.contains("pattern") ? both(fit, Fit::Unsure) : fit;
}

Fit SchemaCheck::ofObject(const Json &schema, const Json &value) {
  Fit fit = ofSize(schema, "minProperties", "maxProperties", value.size());
  if (const auto names = schema.find("required"); names != schema.end() && names->is_array())
    for (const Json &name : *names)
      if (name.is_string() && !value.contains(name.get<std::string>())) return Fit::No;
  const auto properties = schema.find("properties"), names = schema.find("propertyNames"),
             further = schema.find("additionalProperties");
  for (const auto &[key, member] : value.items()) {
    if (names != schema.end()) fit = both(fit, evaluate(*names, Json(key)));
    if (properties != schema.end() && properties->is_object() && properties->contains(key))
      fit = both(fit, evaluate((*properties)[key], member));
    else if (schema.contains("patternProperties"))
      fit = both(fit, Fit::Unsure);
    else if (further != schema.end())
      fit = both(fit, evaluate(*further, member));
    if (fit == Fit::No) return fit;
  }
  for (const char *key :
       {"dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"})
    if (schema.contains(key)) return both(fit, Fit::Unsure);
  return fit;
}

Fit SchemaCheck::ofArray(const Json &schema, const Json &value) {
  Fit fit = ofSize(schema, "minItems", "maxItems", value.size());
  if (isTrue(schema, "uniqueItems") && hasTwice(value)) return Fit::No;
  auto first = schema.find("prefixItems"), rest = schema.find("items");
  if (first == schema.end() && rest != schema.end() && rest->is_array()) {
    first = rest;
    rest = schema.find("additionalItems");
  }
  for (std::size_t i = 0; i < value.size() && fit != Fit::No; ++i)
    if (first != schema.end() && first->is_array() && i < first->size())
      fit = both(fit, evaluate((*first)[i], value[i]));
    else if (rest != schema.end())
      fit = both(fit, evaluate(*rest, value[i]));
  for (const char *key : {"contains", "unevaluatedItems"})
    if (schema.contains(key)) return both(fit, Fit::Unsure);
  return fit;
}

} // namespace skillhost
