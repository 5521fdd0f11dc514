// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/plugin_scan.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

Json asJson(const PluginFacts &facts) {
  Json out{{"kind", facts.kind},
           {"id", facts.id},
           {"version", facts.version},
           {"summary", facts.summary},
           {"licence", facts.licence},
           {"flags", facts.flags},
           {"operations", facts.operations}};
  if (facts.configSchema) out["config_schema"] = *facts.configSchema;
  return out;
}

PluginFacts factsFrom(const Json &value) {
  PluginFacts facts;
  facts.kind = value.at("kind").get<std::string>();
  facts.id = value.at("id").get<std::string>();
  facts.version = value.at("version").get<std::string>();
  facts.summary = value.at("summary").get<std::string>();
  facts.licence = value.at("licence").get<std::string>();
  facts.flags = value.at("flags").get<std::uint32_t>();
  facts.operations = value.at("operations").get<std::vector<std::string>>();
  if (value.contains("config_schema"))
    facts.configSchema = value.at("config_schema").get<std::string>();
  return facts;
}

} // namespace

std::string toJson(const PluginScan &scan) {
  Json plugins = Json::array();
  for (const PluginFacts &facts : scan.plugins) plugins.push_back(asJson(facts));
  const Json out{
      {"plugins", std::move(plugins)}, {"refusal", scan.refusal}, {"crashed", scan.crashed}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

PluginScan scanFromJson(const std::string &text) try {
  PluginScan scan;
  const Result<Json> value = parseJson(text);
  if (!value) return {{}, "its scan result cannot be read: " + value.failure().message, false};
  for (const Json &one : value->at("plugins")) scan.plugins.push_back(factsFrom(one));
  scan.refusal = value->at("refusal").get<std::string>();
  scan.crashed = value->at("crashed").get<bool>();
  return scan;
} catch (const std::exception &why) {
  return {{}, std::string("its scan result cannot be read: ") + why.what(), false};
}

} // namespace skillhost
