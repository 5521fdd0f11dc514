// SPDX-License-Identifier: Apache-2.0
#include "running.hpp"

#include <stdexcept>

namespace running {

using namespace skillhost;

PluginFacts factsOf(const std::string &file) {
  const Result<const skh_entry *> entry = openPlugin(file);
  if (!entry) throw std::runtime_error(entry.failure().message);
  return PluginFacts::of(*(*entry)->plugins[0]);
}

std::unique_ptr<process::Proxy> proxyFor(const std::string &file,
                                         std::vector<std::string> mayRead) {
  IsolatedPluginSetup setup;
  setup.file = file;
  setup.version = "test";
  setup.mayRead = std::move(mayRead);
  setup.memoryBytes = 1ULL << 30U;
  return std::make_unique<process::Proxy>(runner, factsOf(file), std::move(setup));
}

Running start(const std::string &file, const Json &config, std::vector<std::string> mayRead,
              const std::string &cache) {
  Running made;
  made.proxy = proxyFor(file, std::move(mayRead));
  InstanceConfiguration configuration;
  configuration.name = "test";
  configuration.plugin = file;
  configuration.config = config.dump();
  configuration.cacheDirectory = cache;
  Result<std::shared_ptr<Instance>> instance =
      Instance::create(made.proxy->descriptor(), configuration);
  if (!instance) throw std::runtime_error(instance.failure().message);
  made.instance = *instance;
  made.source = std::make_unique<SourceInstance>(made.instance);
  return made;
}

Result<Snapshot> list(Running &running, const CallOptions &options) {
  return wait<Snapshot>([&](auto answer) { running.source->list(options, answer); });
}

Result<std::string> read(Running &running, const Document &document, const CallOptions &options,
                         std::size_t limit) {
  return wait<std::string>(
      [&](auto answer) { running.source->read(options, document, limit, answer); });
}

} // namespace running
