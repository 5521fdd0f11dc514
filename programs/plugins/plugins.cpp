// SPDX-License-Identifier: Apache-2.0
#include "catalogue_command.hpp"
#include "ground/replace_file.hpp"
#include "ground/shown.hpp"
#include "host.hpp"
#include "json_output.hpp"
#include "known_configuration.hpp"
#include "program.hpp"
#include "started_plugins.hpp"

#include <cstdio>
#include <set>

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
  add("isolation", plugin.isolation);
  add("confinement", plugin.confinement);
  add("network", plugin.network);
  add("reason", plugin.reason);
  return out;
}

void print(const PluginDescription &plugin) {
  const std::string id = plugin.id.empty() ? "-" : plugin.id;
  printShown(stdout, "%-12s  %-28s  %-8s  %s\n", std::string(name(plugin.state)).c_str(),
             id.c_str(), plugin.version.empty() ? "-" : plugin.version.c_str(),
             plugin.instance.empty() ? plugin.summary.c_str()
                                     : ("instance " + plugin.instance).c_str());
  if (!plugin.file.empty()) printShown(stdout, "              %s\n", plugin.file.c_str());
  if (!plugin.reason.empty()) printShown(stdout, "              %s\n", plugin.reason.c_str());
  if (plugin.isolation == "process")
    printShown(stdout, "              in a process of its own%s%s\n",
               plugin.confinement.empty() ? "" : ", confined by ", plugin.confinement.c_str());
  if (!plugin.network.empty())
    printShown(stdout, "              network: %s\n", plugin.network.c_str());
}

bool writeLock(const std::string &file, const std::vector<PluginDescription> &plugins) {
  std::set<std::string> usable;
  for (const PluginDescription &plugin : plugins)
    if (!plugin.file.empty() && plugin.state != PluginState::Incompatible &&
        plugin.state != PluginState::CrashedAtScan)
      usable.insert(plugin.file);
  const Status written = replaceFile(file, lockText({usable.begin(), usable.end()}));
  if (!written) printShown(stderr, "skillhost: %s\n", written.failure().message.c_str());
  return bool(written);
}

// Makes the host create the instance through which a server would share state, so that it is
// listed.
void makeShared(const Configuration &configuration, Host &host) {
  if (!configuration.state.isShared(configuration.transport)) return;
  if (const auto shared = host.sharedStore(); !shared)
    printShown(stderr, "skillhost: %s\n", shared.failure().message.c_str());
}

int showPlugins(const ParsedArguments &arguments, const Surroundings &surroundings) {
  const Result<KnownConfiguration> known = knownConfiguration(arguments, surroundings);
  if (!known) return programs::refuse(known.failure());
  const CommandLog log(*known, surroundings);
  const std::string lockFile = arguments.last("--write-lock");
  Configuration configuration = known->configuration;
  // A plugin need not be in the old lock to be listed for a new one.
  if (!lockFile.empty()) configuration.plugins.lock.reset();
  Host host(configuration, surroundings.executable, builtForHosts(), Host::Role::Inspector);
  host.waitUntilReady(true);
  makeShared(configuration, host);
  const std::vector<PluginDescription> plugins = describeStarted(host.plugins());
  if (!lockFile.empty() && !writeLock(lockFile, plugins)) return 1;
  if (arguments.has("--json")) {
    Json all = Json::array();
    for (const PluginDescription &plugin : plugins) all.push_back(asJson(plugin));
    printJson(all);
    return 0;
  }
  for (const PluginDescription &plugin : plugins) print(plugin);
  if (plugins.empty()) printShown(stdout, "no plugins found\n");
  return 0;
}

CommandDescription pluginsDescription() {
  CommandDescription command{
      "plugins",
      "List the plugins that were found, with their state and its reason.",
      true,
      {helpOption(),
       jsonOption(),
       {{"--write-lock"},
        "FILE",
        "Write the digests of the usable plugins to FILE, for --plugins-lock.",
        generalOptions}}};
  command.position = 200;
  return command;
}

} // namespace

CatalogueCommand pluginsCommand() { return {{pluginsDescription()}, showPlugins}; }

} // namespace skillhost::app
