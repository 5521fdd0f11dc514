// SPDX-License-Identifier: Apache-2.0
// Presents a plugin that runs in another process as an ordinary skh_plugin. Each call goes to a
// runner, and each answer goes into the caller's sink.
#pragma once

#include "ground/guarded.hpp"
#include "plugin_calls/isolation.hpp"

#include <skillhost/http.h>
#include <skillhost/observer.h>
#include <skillhost/tools.h>

#include <cstddef>
#include <string>

namespace skillhost::process {

class ProxyInstance;

class Proxy final : public IsolatedPlugin {
public:
  // Throws std::runtime_error if too many proxies exist already.
  Proxy(std::string runner, PluginFacts facts, IsolatedPluginSetup setup);
  ~Proxy() override;

  const skh_plugin &descriptor() const noexcept override { return descriptor_; }
  std::string confinement() const override;
  std::string absence() const override;

  static skh_status createIn(std::size_t slot, const skh_host *host, const skh_call *call,
                             void **self) noexcept;

private:
  static void destroy(void *self) noexcept;
  skh_status create(const skh_host &host, const skh_call *call, void **self);

  const std::string runner_; // absolute path of skillhost-runner
  const PluginFacts facts_;
  const IsolatedPluginSetup setup_;
  const std::size_t slot_;
  skh_source source_;
  skh_search search_;
  skh_auth auth_;
  skh_tools tools_;
  skh_observer observer_;
  skh_http http_;
  skh_plugin descriptor_;
  Guarded<ProxyInstance *> instance_;
};

} // namespace skillhost::process
