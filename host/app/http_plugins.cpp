// SPDX-License-Identifier: Apache-2.0
#include "http_plugins.hpp"

#include "base/log.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <future>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::chrono::seconds patienceForRoutes{10};

Result<HandlerRoutes> routesOf(HttpPlugin &plugin) {
  CallOptions options;
  options.deadline = Deadline::after(patienceForRoutes);
  // Shared, because the thread that sets the promise may still use it after it is read.
  const auto given = std::make_shared<std::promise<Result<HandlerRoutes>>>();
  plugin.routes(std::move(options),
                [given](Result<HandlerRoutes> routes) { given->set_value(std::move(routes)); });
  return given->get_future().get();
}

} // namespace

HttpPlugins::HttpPlugins(const Configuration &configuration)
    : configured_(configuration.httpHandlers), areMade_(configured_.empty()) {}

void HttpPlugins::makeAll(const Make &make, const ServeHttpPlugin &serve) {
  for (const PluginEntry &one : configured_) {
    if (!one.enabled) continue;
    Made made{one.name, nullptr};
    if (auto plugin = make(one)) {
      made.plugin = *std::move(plugin);
      if (const Status served = serveRoutes(made, serve); !served) {
        log::error("plugin", served.failure().message);
        made.plugin->setTrouble(served.failure().message);
      }
    }
    all_.with([&](std::vector<Made> &all) { all.push_back(std::move(made)); });
  }
  areMade_ = true;
}

Status HttpPlugins::serveRoutes(Made &one, const ServeHttpPlugin &serve) const {
  const Result<HandlerRoutes> routes = routesOf(*one.plugin);
  if (!routes) return routes.failure();
  if (!serve) return Done{};
  if (Status served = serve(one.plugin, *routes); !served)
    return {served.failure().fault,
            one.name + ": none of its paths is served: " + served.failure().message};
  one.routes = routes->size();
  return Done{};
}

Readiness HttpPlugins::readiness() const {
  Readiness told;
  all_.with([&](const std::vector<Made> &all) {
    for (const Made &one : all) {
      const bool fails = !one.plugin || one.plugin->isFailing();
      told.isDegraded = told.isDegraded || fails;
      told.details["http_handlers"][one.name] = {{"failing", fails}, {"routes", one.routes}};
    }
  });
  return told;
}

void HttpPlugins::stop() {
  for (const Made &one : all_.copy())
    if (one.plugin) one.plugin->stop();
}

} // namespace skillhost::app
