// SPDX-License-Identifier: Apache-2.0
#include "otlp_text.hpp"

#include "ground/json_text.hpp"

#include <nlohmann/json.hpp>

namespace skillhost::telemetry {

void Attributes::begin(std::string_view key) {
  elements_ += elements_.empty() ? R"({"key":)" : R"(,{"key":)";
  appendJsonString(elements_, key);
}

void Attributes::add(std::string_view key, std::string_view text) {
  if (text.empty()) return;
  begin(key);
  elements_ += R"(,"value":{"stringValue":)";
  appendJsonString(elements_, text);
  elements_ += "}}";
}

void Attributes::add(std::string_view key, std::int64_t number) {
  begin(key);
  elements_ += R"(,"value":{"intValue":")" + std::to_string(number) + R"("}})";
}

void Attributes::addJson(std::string_view key, const Json &value) {
  if (value.is_string()) return add(key, value.get_ref<const std::string &>());
  if (value.is_number_integer()) return add(key, value.get<std::int64_t>());
  if (!value.is_number() && !value.is_boolean()) return add(key, value.dump());
  begin(key);
  elements_ += value.is_boolean() ? R"(,"value":{"boolValue":)" : R"(,"value":{"doubleValue":)";
  elements_ += value.dump() + "}}";
}

std::string resourceText(std::string_view serviceVersion, std::string_view instanceId) {
  Attributes attributes;
  attributes.add("service.name", "skillhost");
  attributes.add("service.version", serviceVersion);
  attributes.add("service.instance.id", instanceId);
  return R"({"attributes":)" + attributes.list() + '}';
}

std::string requestText(std::string_view resources, std::string_view scopes, std::string_view items,
                        std::string_view resource, std::string_view elements) {
  std::string out = R"({")";
  ((out += resources) += R"(":[{"resource":)") += resource;
  ((out += R"(,")") += scopes) += R"(":[{"scope":{"name":"skillhost"},")";
  (((out += items) += R"(":[)") += elements) += "]}]}]}";
  return out;
}

} // namespace skillhost::telemetry
