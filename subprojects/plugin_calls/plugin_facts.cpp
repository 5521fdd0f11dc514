// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/plugin_facts.hpp"

#include "plugin_calls/library.hpp"

#include <algorithm>
#include <string_view>

namespace skillhost {
namespace {

#define NOTE(function)                                                                             \
  if (SKH_HAS(&ops, function) && ops.function != nullptr) names.emplace_back(#function)

std::vector<std::string> functions(const skh_source &ops) {
  std::vector<std::string> names;
  NOTE(list);
  NOTE(read);
  NOTE(changes);
  return names;
}

std::vector<std::string> functions(const skh_search &ops) {
  std::vector<std::string> names;
  NOTE(put);
  NOTE(remove);
  NOTE(commit);
  NOTE(generation);
  NOTE(query);
  return names;
}

std::vector<std::string> functions(const skh_auth &ops) {
  std::vector<std::string> names;
  NOTE(check);
  NOTE(validate);
  NOTE(describe);
  return names;
}

std::vector<std::string> functions(const skh_tools &ops) {
  std::vector<std::string> names;
  NOTE(list);
  NOTE(call_tool);
  NOTE(get_prompt);
  NOTE(read_resource);
  NOTE(complete);
  return names;
}

std::vector<std::string> functions(const skh_state &ops) {
  std::vector<std::string> names;
  NOTE(check);
  NOTE(get);
  NOTE(put);
  NOTE(compare_and_set);
  NOTE(erase);
  NOTE(add);
  NOTE(publish);
  NOTE(subscribe);
  NOTE(unsubscribe);
  NOTE(receive);
  return names;
}

// Omits functions for events that the plugin does not want.
std::vector<std::string> functions(const skh_observer &ops) {
  std::vector<std::string> names;
  if ((ops.wants & SKH_EVENT_CALL_ENDED) != 0) NOTE(call_ended);
  if ((ops.wants & SKH_EVENT_REFUSED) != 0) NOTE(refused);
  if ((ops.wants & SKH_EVENT_AUDIT_RECORD) != 0) NOTE(audit_record);
  if ((ops.wants & SKH_EVENT_CATALOGUE_CHANGED) != 0) NOTE(catalogue_changed);
  if ((ops.wants & SKH_EVENT_LOG_RECORD) != 0) NOTE(log_record);
  NOTE(lost);
  NOTE(flush);
  return names;
}

std::vector<std::string> functions(const skh_http &ops) {
  std::vector<std::string> names;
  NOTE(routes);
  NOTE(handle);
  return names;
}

#undef NOTE

} // namespace

PluginFacts PluginFacts::of(const skh_plugin &plugin) {
  PluginFacts facts;
  facts.kind = plugin.kind;
  facts.id = plugin.id;
  facts.version = plugin.version;
  facts.summary = plugin.summary;
  facts.licence = plugin.licence;
  if (plugin.config_schema != nullptr) facts.configSchema = plugin.config_schema;
  facts.flags = plugin.flags;
  const std::string_view kind = plugin.kind;
  if (kind == sourceKind)
    facts.operations = functions(*static_cast<const skh_source *>(plugin.ops));
  if (kind == searchKind)
    facts.operations = functions(*static_cast<const skh_search *>(plugin.ops));
  if (kind == authKind) facts.operations = functions(*static_cast<const skh_auth *>(plugin.ops));
  if (kind == toolsKind) facts.operations = functions(*static_cast<const skh_tools *>(plugin.ops));
  if (kind == stateKind) facts.operations = functions(*static_cast<const skh_state *>(plugin.ops));
  if (kind == observerKind)
    facts.operations = functions(*static_cast<const skh_observer *>(plugin.ops));
  if (kind == httpKind) facts.operations = functions(*static_cast<const skh_http *>(plugin.ops));
  if (SKH_HAS(&plugin, extension) && plugin.extension != nullptr)
    facts.operations.emplace_back("extension");
  return facts;
}

bool PluginFacts::has(const std::string &operation) const {
  return std::find(operations.begin(), operations.end(), operation) != operations.end();
}

} // namespace skillhost
