// SPDX-License-Identifier: Apache-2.0
#include "filter.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace skillhost::keyword {
namespace {

using Json = nlohmann::json;

Json parseObject(std::string_view text, const char *what) {
  if (text.empty()) return Json::object();
  Json value = Json::parse(text, nullptr, false);
  if (!value.is_object()) throw std::invalid_argument(std::string(what) + " is not a JSON object");
  return value;
}

} // namespace

Attributes parseAttributes(std::string_view json) {
  Attributes attributes;
  const Json object = parseObject(json, "attributes");
  for (const auto &[name, value] : object.items()) {
    if (value.is_string()) attributes.emplace_back(name, value.get<std::string>());
    if (!value.is_array()) continue;
    for (const Json &one : value)
      if (one.is_string()) attributes.emplace_back(name, one.get<std::string>());
  }
  std::sort(attributes.begin(), attributes.end());
  return attributes;
}

std::vector<std::string_view> valuesOf(const Attributes &attributes, std::string_view name) {
  std::vector<std::string_view> values;
  for (const auto &[key, value] : attributes)
    if (key == name) values.emplace_back(value);
  return values;
}

Filter::Filter(std::string_view json) {
  const Json object = parseObject(json, "filter");
  for (const auto &[name, accepted] : object.items()) {
    const auto refuse = [&attribute = name] {
      throw std::invalid_argument("filter: \"" + attribute + "\" must be an array of strings");
    };
    if (!accepted.is_array()) refuse();
    std::vector<std::string> values;
    for (const Json &value : accepted) {
      if (!value.is_string()) refuse();
      values.push_back(value.get<std::string>());
    }
    conditions_.emplace_back(name, std::move(values));
  }
}

bool Filter::accepts(const Attributes &attributes) const {
  return std::all_of(conditions_.begin(), conditions_.end(), [&](const auto &demand) {
    return std::any_of(attributes.begin(), attributes.end(), [&](const auto &attribute) {
      return attribute.first == demand.first &&
             std::find(demand.second.begin(), demand.second.end(), attribute.second) !=
                 demand.second.end();
    });
  });
}

} // namespace skillhost::keyword
