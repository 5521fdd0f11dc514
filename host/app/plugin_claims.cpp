// SPDX-License-Identifier: Apache-2.0
#include "plugin_claims.hpp"

#include <algorithm>
#include <vector>

namespace skillhost::app {

HttpRoute routeOf(const HandlerRoute &declared) {
  static_assert(
      static_cast<int>(Permission::Nothing) == 0 && static_cast<int>(Permission::Read) == 1 &&
          static_cast<int>(Permission::Manage) == 2 && static_cast<int>(Permission::Review) == 3,
      "as SKH_PERMISSION_* of skillhost/http.h");
  HttpRoute route{declared.path,
                  declared.isFolder ? HttpRoute::Extent::Folder : HttpRoute::Extent::Path,
                  declared.methods, static_cast<Permission>(declared.permission)};
  if (std::find(route.methods.begin(), route.methods.end(), "GET") != route.methods.end())
    route.methods.emplace_back("HEAD");
  return route;
}

std::string routeOwner(const HttpPlugin &plugin) {
  return "the plugin " + plugin.name() + " (http_handlers)";
}

Status claimRoutes(RouteClaims &claims, const HttpPlugin &plugin, const HandlerRoutes &routes) {
  std::vector<HttpRoute> claimed;
  for (const HandlerRoute &route : routes) claimed.push_back(routeOf(route));
  return claims.add(claimed, routeOwner(plugin));
}

} // namespace skillhost::app
