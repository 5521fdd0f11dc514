// SPDX-License-Identifier: Apache-2.0
#include "settings/feature_settings.hpp"

#include "settings/declared_keys.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace skillhost::settings {
namespace {

template <class Value>
Value typed(const Json &value, std::string_view key, bool isOfType, const char *type) {
  if (!isOfType) throw std::logic_error("the key " + std::string(key) + " is not " + type);
  return value.get<Value>();
}

} // namespace

const Json &FeatureSettings::value(std::string_view key) const {
  const auto set = values_.find(key);
  if (set != values_.end()) return set->second;
  for (const Declaration &one : declarations().keys)
    if (one.key == key && one.type != Type::OfHost) return one.standard;
  throw std::logic_error("no feature of this build declares the key " + std::string(key));
}

bool FeatureSettings::flag(std::string_view key) const {
  const Json &found = value(key);
  return typed<bool>(found, key, found.is_boolean(), "true or false");
}

std::uint64_t FeatureSettings::number(std::string_view key) const {
  const Json &found = value(key);
  return typed<std::uint64_t>(found, key, found.is_number_integer(), "a whole number");
}

std::string FeatureSettings::text(std::string_view key) const {
  const Json &found = value(key);
  return typed<std::string>(found, key, found.is_string(), "a text");
}

std::optional<std::string> FeatureSettings::textIfAny(std::string_view key) const {
  return value(key).is_null() ? std::nullopt : std::optional(text(key));
}

std::vector<std::string> FeatureSettings::texts(std::string_view key) const {
  const Json &found = value(key);
  return typed<std::vector<std::string>>(found, key, found.is_array(), "a list of texts");
}

bool FeatureSettings::isDeclared(std::string_view key) {
  const auto &keys = declarations().keys;
  return std::any_of(keys.begin(), keys.end(), [&](const auto &one) { return one.key == key; });
}

void FeatureSettings::set(std::string_view key, Json value) {
  values_.insert_or_assign(std::string(key), std::move(value));
}

} // namespace skillhost::settings
