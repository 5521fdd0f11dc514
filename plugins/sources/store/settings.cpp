// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "store/keys.hpp"
#include "store/location.hpp"
#include "store/problem.hpp"

#include <skillhost/config.hpp>

#include <cstdlib>

namespace skillhost::store_source {
namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody changes it
  return value == nullptr ? "" : value;
}

std::string absolutePath(const std::string &key, const std::string &configured) {
  std::string path = configured;
  if (path == "~" || path.starts_with("~/")) path = variable("HOME") + path.substr(1);
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  if (path.starts_with('/') && path.find('\0') == path.npos) return path;
  throw skh::Error(SKH_INVALID,
                   key + R"(: must be an absolute path, or start with "~/" where HOME is)");
}

std::string readDirectory(const skh::Config &config) {
  if (config.has("directory")) return absolutePath("directory", config.text("directory"));
  std::string path = store::defaultRoot(variable("XDG_DATA_HOME"), variable("HOME"));
  if (path.empty())
    throw skh::Error(SKH_INVALID, "directory: is required where neither XDG_DATA_HOME nor HOME is");
  return path;
}

store::SignaturePolicy readPolicy(const skh::Config &config) {
  const std::string policy = config.text("signatures", "ignore");
  if (policy == "ignore") return store::SignaturePolicy::Ignore;
  if (policy == "verify") return store::SignaturePolicy::Verify;
  if (policy == "require") return store::SignaturePolicy::Require;
  throw skh::Error(SKH_INVALID, R"(signatures: must be "ignore", "verify" or "require")");
}

} // namespace

Settings::Settings(std::string_view configuration) try {
  const skh::Config config(configuration);
  directory = readDirectory(config);
  if (config.has("key_file"))
    trust.key = store::readStoreKey(absolutePath("key_file", config.text("key_file")));
  trust.signatures = readPolicy(config);
  for (const std::string &path : config.texts("trusted_keys"))
    trust.keys.push_back(store::readPublicKey(absolutePath("trusted_keys", path)));
  if (trust.signatures == store::SignaturePolicy::Require && trust.keys.empty())
    throw skh::Error(SKH_INVALID,
                     "trusted_keys: signatures are required, so name a key whose count");
  pollInterval =
      std::chrono::milliseconds(config.integer("poll_interval_ms", pollInterval.count()));
  if (pollInterval < std::chrono::milliseconds(10))
    throw skh::Error(SKH_INVALID, "poll_interval_ms: must be at least 10");
} catch (const store::StoreError &error) {
  throw skh::Error(SKH_INVALID, error.what());
}

} // namespace skillhost::store_source
