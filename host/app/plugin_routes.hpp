// SPDX-License-Identifier: Apache-2.0
// Serves the routes of a plugin that answers HTTP requests.
#pragma once

#include "access/access.hpp"
#include "http/http_routes.hpp"
#include "plugin/http_plugin.hpp"
#include "runtime/deadlines.hpp"

#include <memory>

namespace skillhost::app {

// Returns one handler for each route. `access` must outlive them.
HttpRoutes::Handlers routesOfPlugin(const std::shared_ptr<HttpPlugin> &plugin,
                                    const HandlerRoutes &routes, const Access &access,
                                    const Deadlines &deadlines);

} // namespace skillhost::app
