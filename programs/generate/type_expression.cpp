// SPDX-License-Identifier: Apache-2.0
#include "type_expression.hpp"

#include "type_names.hpp"

#include <algorithm>
#include <set>

namespace skillhost {
namespace {

// A longer literal type is replaced by `unknown`, and so is a part below this depth.
constexpr std::size_t maxLiteralBytes = 2'000;
constexpr int maxLiteralDepth = 8;

std::string literalText(const Json &value, int depth) {
  if (depth > maxLiteralDepth) return "unknown";
  if (value.is_string()) return textLiteral(value.get_ref<const std::string &>());
  if (!value.is_structured()) return value.dump();
  std::string text;
  const char *separator = "";
  for (const auto &[key, member] : value.items()) {
    text += separator;
    if (value.is_object()) text += memberName(key) + ": ";
    text += literalText(member, depth + 1);
    separator = value.is_object() ? "; " : ", ";
  }
  if (value.is_array()) return '[' + text + ']';
  return text.empty() ? "{ [key: string]: never }" : "{ " + text + " }";
}

} // namespace

std::string TypeExpression::inIntersection() const {
  return binding == Binding::Union ? '(' + text + ')' : text;
}
std::string TypeExpression::inArray() const {
  return binding == Binding::Tight ? text : '(' + text + ')';
}

TypeExpression unionOf(const std::vector<TypeExpression> &types) {
  std::vector<const TypeExpression *> parts;
  std::set<std::string> seen;
  for (const TypeExpression &type : types) {
    if (type.isUnknown()) return {};
    if (type.text != "never" && seen.insert(type.text).second) parts.push_back(&type);
  }
  if (parts.empty()) return {"never"};
  if (parts.size() == 1) return *parts.front();
  TypeExpression combined{parts.front()->text, TypeExpression::Binding::Union};
  for (std::size_t i = 1; i < parts.size(); ++i) combined.text += " | " + parts[i]->text;
  return combined;
}

TypeExpression intersectionOf(const std::vector<TypeExpression> &types) {
  std::vector<const TypeExpression *> parts;
  std::set<std::string> seen;
  for (const TypeExpression &type : types)
    if (!type.isUnknown() && seen.insert(type.text).second) parts.push_back(&type);
  if (parts.empty()) return {};
  if (parts.size() == 1) return *parts.front();
  TypeExpression combined{parts.front()->inIntersection(), TypeExpression::Binding::Intersection};
  for (std::size_t i = 1; i < parts.size(); ++i)
    combined.text += " & " + parts[i]->inIntersection();
  return combined;
}

TypeExpression literalType(const Json &value) {
  std::string text = literalText(value, 0);
  if (text.size() > maxLiteralBytes) return {};
  return {std::move(text)};
}

} // namespace skillhost
