// SPDX-License-Identifier: Apache-2.0
// The paths that a plugin claims, and their owner in messages.
#pragma once

#include "http/route_claims.hpp"
#include "plugin/http_plugin.hpp"

#include <string>

namespace skillhost::app {

HttpRoute routeOf(const HandlerRoute &declared);
std::string routeOwner(const HttpPlugin &plugin);
// Claims the routes without serving them.
Status claimRoutes(RouteClaims &claims, const HttpPlugin &plugin, const HandlerRoutes &routes);

} // namespace skillhost::app
