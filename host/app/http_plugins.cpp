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

struct Begun {
  Result<std::shared_ptr<HttpPlugin>> plugin;
  Result<HandlerRoutes> routes;
};

Result<HandlerRoutes> routesOf(HttpPlugin &plugin, const std::function<bool()> &hostStops) {
  CallOptions options;
  options.deadline = Deadline::after(patienceForRoutes);
  const CancelToken cancel = options.cancel;
  // Shared, because the thread that sets the promise may still use it after it is read.
  const auto promise = std::make_shared<std::promise<Result<HandlerRoutes>>>();
  plugin.routes(std::move(options),
                [promise](Result<HandlerRoutes> routes) { promise->set_value(std::move(routes)); });
  std::future<Result<HandlerRoutes>> routes = promise->get_future();
  constexpr std::chrono::milliseconds betweenLooks{50};
  while (routes.wait_for(betweenLooks) != std::future_status::ready) {
    if (!hostStops()) continue;
    cancel.cancel();
    return Failure{Fault::Cancelled, plugin.name() + ": routes: the host stops"};
  }
  return routes.get();
}

} // namespace

HttpPlugins::HttpPlugins(const Configuration &configuration)
    : configured_(configuration.httpHandlers), areMade_(configured_.empty()) {}

void HttpPlugins::makeAll(const Make &make, const ServeHttpPlugin &serve,
                          const std::function<bool()> &hostStops) {
  std::vector<std::future<Begun>> all;
  all.reserve(configured_.size());
  for (const PluginEntry &one : configured_)
    if (one.enabled)
      all.push_back(std::async(std::launch::async, [&] {
        Begun begun{make(one), HandlerRoutes{}};
        if (begun.plugin) begun.routes = routesOf(**begun.plugin, hostStops);
        return begun;
      }));
  auto next = all.begin();
  for (const PluginEntry &one : configured_) {
    if (!one.enabled) continue;
    const Begun begun = (next++)->get();
    Made made{one.name, nullptr};
    if (begun.plugin) {
      made.plugin = *begun.plugin;
      if (const Status served = serveRoutes(made, begun.routes, serve); !served) {
        log::write(served.failure().fault == Fault::Cancelled ? LogLevel::Debug : LogLevel::Error,
                   "plugin", served.failure().message);
        made.plugin->setTrouble(served.failure().message);
      }
    }
    all_.with([&](std::vector<Made> &known) { known.push_back(std::move(made)); });
  }
  areMade_ = true;
}

Status HttpPlugins::serveRoutes(Made &one, const Result<HandlerRoutes> &routes,
                                const ServeHttpPlugin &serve) {
  if (!routes) return routes.failure();
  if (Status served = serve(one.plugin, *routes); !served)
    return {served.failure().fault,
            one.name + ": none of its paths is served: " + served.failure().message};
  one.routes = routes->size();
  return Done{};
}

Readiness HttpPlugins::readiness() const {
  Readiness readiness;
  for (const PluginEntry &one : configured_) {
    if (!one.enabled || areMade_) continue;
    readiness.isDegraded = true; // replaced below if it is made
    readiness.details["http_handlers"][one.name] = {{"failing", false}, {"routes", 0}};
  }
  all_.with([&](const std::vector<Made> &all) {
    for (const Made &one : all) {
      const bool fails = !one.plugin || one.plugin->isFailing();
      readiness.isDegraded = readiness.isDegraded || fails;
      readiness.details["http_handlers"][one.name] = {{"failing", fails}, {"routes", one.routes}};
    }
  });
  return readiness;
}

void HttpPlugins::stop() {
  for (const Made &one : all_.copy())
    if (one.plugin) one.plugin->stop();
}

} // namespace skillhost::app
