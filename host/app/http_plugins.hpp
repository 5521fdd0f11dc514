// SPDX-License-Identifier: Apache-2.0
// Owns the plugins under `http_handlers` of the configuration: makes them, asks for their routes,
// and stops them.
#pragma once

#include "app/configuration.hpp"
#include "base/readiness.hpp"
#include "ground/guarded.hpp"
#include "ground/result.hpp"
#include "plugin/http_plugin.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::app {

// Serves the routes of a plugin from now on; fails if another one has claimed a path, and then
// serves none of them.
using ServeHttpPlugin =
    std::function<Status(const std::shared_ptr<HttpPlugin> &plugin, const HandlerRoutes &routes)>;

class HttpPlugins {
public:
  explicit HttpPlugins(const Configuration &configuration);
  ~HttpPlugins() { stop(); }
  HttpPlugins(const HttpPlugins &) = delete;
  HttpPlugins &operator=(const HttpPlugins &) = delete;

  // Makes each plugin by calling `make` and asks for its routes, on a thread of its own. Hands the
  // routes to `serve` in the order of the configuration, so that of two plugins that claim a path
  // the earlier one always gets it. Waits for the plugins, but gives up a call of routes() once
  // `hostStops` returns true. Call it once.
  using Make = std::function<Result<std::shared_ptr<HttpPlugin>>(const PluginEntry &)>;
  void makeAll(const Make &make, const ServeHttpPlugin &serve,
               const std::function<bool()> &hostStops);
  // Returns true if no further routes will be served. Any thread.
  bool areMade() const noexcept { return areMade_; }
  // Reports the plugins that are not served, or whose last call failed. Any thread.
  Readiness readiness() const;
  void stop();

private:
  struct Made {
    std::string name;
    std::shared_ptr<HttpPlugin> plugin; // null if it could not be made
    std::size_t routes = 0;             // number of served routes
  };
  static Status serveRoutes(Made &one, const Result<HandlerRoutes> &routes,
                            const ServeHttpPlugin &serve);

  const std::vector<PluginEntry> configured_;
  std::atomic<bool> areMade_;
  Guarded<std::vector<Made>> all_;
};

} // namespace skillhost::app
