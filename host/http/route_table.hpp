// SPDX-License-Identifier: Apache-2.0
// Finds the route of a path.
#pragma once

#include "http/route_handler.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

// The server fills it when it starts; then any thread may read it.
class RouteTable {
public:
  using Handler = std::function<void(const std::shared_ptr<HttpExchange> &exchange,
                                     const PrincipalPointer &caller)>;
  struct Entry {
    HttpRoute route;
    std::string owner; // "the metrics"
    Handler answer;

    bool allowsMethod(std::string_view method) const;
    void refuseMethod(HttpExchange &exchange) const; // answers with 405
  };

  // Throws std::runtime_error that names both owners if some path belongs to another route of the
  // table, too, and one that names the owner if the route is malformed.
  void add(HttpRoute route, std::string owner, Handler answer);
  // Returns null if no route has this path. The route lives as long as the table.
  const Entry *find(std::string_view path) const;

private:
  std::map<std::string, Entry, std::less<>> paths_, folders_; // by their paths
};

} // namespace skillhost
