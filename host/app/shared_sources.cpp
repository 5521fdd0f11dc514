// SPDX-License-Identifier: Apache-2.0
#include "shared_sources.hpp"

#include "ground/sha256.hpp"
#include "sharing/shared_source.hpp"
#include "without_secrets.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace skillhost::app {
namespace {

constexpr std::size_t markDigits = 16;

// Of all that decides what the source has. What the plugin runs with and its secrets may be another
// on each replica.
std::string markOf(const SourceConfiguration &source, const InstanceConfiguration &instance) {
  Json all = {source.plugin, source.config, static_cast<int>(instance.pin.mode),
              instance.pin.snapshot};
  leaveOutSecrets(all);
  return sha256Hex(all.dump(-1, ' ', false, Json::error_handler_t::replace)).substr(0, markDigits);
}

} // namespace

std::shared_ptr<Source> makeSharedSource(const SourceConfiguration &source,
                                         const InstanceConfiguration &instance,
                                         PluginRegistry &plugins,
                                         const std::shared_ptr<SourceSharing> &sharing) {
  SharedSourceSettings settings;
  settings.name = source.name;
  settings.folder = *source.shared;
  settings.mark = markOf(source, instance);
  return std::make_shared<SharedSource>(
      sharing, std::move(settings), [&plugins, instance] { return plugins.makeSource(instance); });
}

} // namespace skillhost::app
