// SPDX-License-Identifier: Apache-2.0
#include "commands/plugins.hpp"

#include "host.hpp"

#include <cstdio>

namespace skillhost::app {
namespace {

Json asJson(const PluginDescription &plugin) {
  Json out{{"state", name(plugin.state)}};
  const auto add = [&](const char *key, const std::string &value) {
    if (!value.empty()) out[key] = value;
  };
  add("instance", plugin.instance);
  add("id", plugin.id);
  add("version", plugin.version);
  add("kind", plugin.kind);
  add("summary", plugin.summary);
  add("licence", plugin.licence);
  add("file", plugin.file);
  add("reason", plugin.reason);
  return out;
}

void print(const PluginDescription &plugin) {
  const std::string id = plugin.id.empty() ? "-" : plugin.id;
  std::printf("%-12s  %-28s  %-8s  %s\n", std::string(name(plugin.state)).c_str(), id.c_str(),
              plugin.version.empty() ? "-" : plugin.version.c_str(),
              plugin.instance.empty() ? plugin.summary.c_str()
                                      : ("instance " + plugin.instance).c_str());
  if (!plugin.file.empty()) std::printf("              %s\n", plugin.file.c_str());
  if (!plugin.reason.empty()) std::printf("              %s\n", plugin.reason.c_str());
}

} // namespace

int showPlugins(const Invocation &invocation, const std::string &executable) {
  Host host(invocation.configuration, executable);
  host.waitUntilReady(true);
  const std::vector<PluginDescription> plugins = host.plugins().describe(true);
  if (invocation.json) {
    Json all = Json::array();
    for (const PluginDescription &plugin : plugins) all.push_back(asJson(plugin));
    std::printf("%s\n", all.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return 0;
  }
  for (const PluginDescription &plugin : plugins) print(plugin);
  if (plugins.empty()) std::printf("no plugins found\n");
  return 0;
}

} // namespace skillhost::app
