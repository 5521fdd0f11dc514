// SPDX-License-Identifier: Apache-2.0
// A plugin that runs elsewhere, as an skh_plugin like any other: each call goes to a runner, each
// answer into the caller's sink.
#pragma once

#include "plugin_copy.hpp"
#include "process/facts.hpp"
#include "process/start.hpp"

#include "ground/guarded.hpp"
#include "plugin/network_rule.hpp"

#include <skillhost/tools.h>

#include <memory>
#include <string>

namespace skillhost::process {

class ProxyInstance;

struct ProxySetup {
  std::string program;                    // skillhost itself, an absolute path
  std::string file;                       // of the plugin, an absolute path
  std::shared_ptr<const PluginCopy> copy; // what is loaded in its place; null: the file itself
  std::string version;                    // of the host, for the plugin
  std::vector<std::string> mayRead;
  std::uint64_t memoryBytes = 0;
  std::uint64_t cacheBytes = 0; // that the cache folder may hold; 0: no limit
  NetworkRule network;
  std::int32_t pinMode = 0;  // SKH_PIN_*
  std::string pinned;        // the snapshot
  std::uint32_t threads = 0; // as the executor's
};

class Proxy {
public:
  // Throws std::runtime_error when too many exist already.
  Proxy(PluginFacts facts, ProxySetup setup);
  ~Proxy();
  Proxy(const Proxy &) = delete;
  Proxy &operator=(const Proxy &) = delete;

  // For one instance; valid as long as the proxy is, which has to outlive the instance.
  const skh_plugin &descriptor() const noexcept { return descriptor_; }
  // What confines the runner of its instance, for the operator; empty when it has none.
  std::string confinement() const;
  // Why there is no runner now, for the operator; empty when there is one.
  std::string absence() const;

  static skh_status createIn(std::size_t slot, const skh_host *host, const skh_call *call,
                             void **self) noexcept;

private:
  static void destroy(void *self) noexcept;
  skh_status create(const skh_host &host, const skh_call *call, void **self);

  const PluginFacts facts_;
  const ProxySetup setup_;
  const std::size_t slot_;
  skh_source source_;
  skh_search search_;
  skh_auth auth_;
  skh_tools tools_;
  skh_plugin descriptor_;
  Guarded<ProxyInstance *> instance_;
};

} // namespace skillhost::process
