// SPDX-License-Identifier: Apache-2.0
#include "store_sources.hpp"

#include "store/keys.hpp"
#include "store/location.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace skillhost {
namespace {

namespace fs = std::filesystem;

std::string environmentText(const char *name) {
  const char *const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool isStorePlugin(const std::string &plugin) {
  return plugin == "store" || plugin == "org.skillhost.store" ||
         fs::path(plugin).filename() == "store.so";
}

std::string textIn(const Json &config, const char *key) {
  const auto found = config.find(key);
  return found != config.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

bool isOf(const app::SourceConfiguration &source, const std::string &directory) {
  std::string configured = textIn(source.config, "directory");
  if (configured.empty())
    configured = store::defaultRoot(environmentText("XDG_DATA_HOME"), environmentText("HOME"));
  std::error_code one;
  std::error_code other;
  return fs::weakly_canonical(fs::path(configured) / "", one) ==
             fs::weakly_canonical(fs::path(directory) / "", other) &&
         !one && !other;
}

bool isStore(const app::SourceConfiguration &source) {
  return source.enabled && isStorePlugin(source.plugin);
}

store::Trust readTrust(const Json &config) {
  store::Trust trust;
  if (const std::string key = textIn(config, "key_file"); !key.empty())
    trust.key = store::readStoreKey(key);
  const std::string policy = textIn(config, "signatures");
  trust.signatures = policy == "require"  ? store::SignaturePolicy::Require
                     : policy == "verify" ? store::SignaturePolicy::Verify
                                          : store::SignaturePolicy::Ignore;
  if (const auto keys = config.find("trusted_keys"); keys != config.end() && keys->is_array())
    for (const Json &file : *keys)
      if (file.is_string()) trust.keys.push_back(store::readPublicKey(file.get<std::string>()));
  return trust;
}

} // namespace

std::vector<StoreSource> storeSources(const app::Configuration &configuration,
                                      const std::string &directory) {
  std::vector<StoreSource> found;
  for (const app::SourceConfiguration &source : configuration.sources) {
    if (!isStore(source) || !isOf(source, directory)) continue;
    try {
      found.push_back({source.name, readTrust(source.config)});
    } catch (const std::runtime_error &why) {
      throw std::runtime_error("the source " + source.name + ": " + why.what());
    }
  }
  return found;
}

bool servesAnyStore(const app::Configuration &configuration) {
  return std::any_of(configuration.sources.begin(), configuration.sources.end(), isStore);
}

} // namespace skillhost
