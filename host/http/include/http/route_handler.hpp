// SPDX-License-Identifier: Apache-2.0
// A feature that answers HTTP requests beside MCP, such as the console, implements RouteHandler.
#pragma once

#include "access/permissions.hpp"
#include "access/principal.hpp"
#include "base/http.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

// A route covers some paths and defines who may request them. No path belongs to two routes.
struct HttpRoute {
  // Path covers this path alone. Folder covers every path that begins with this one, which ends
  // with a slash.
  enum class Extent : std::uint8_t { Path, Folder };

  std::string path; // begins with a slash
  Extent extent = Extent::Path;
  // Such as "GET". Every other method is answered with 405. If the list is empty, all methods are
  // handled.
  std::vector<std::string> methods{};
  // The permission that a caller needs. A request from a foreign host or page, or from a caller who
  // lacks the permission, is refused before the handler sees it. Without a value neither is
  // checked, and the handler decides by itself whom it answers.
  std::optional<Permission> need{};
  HttpFields onOtherMethod{}; // further fields of the answer 405
};

// Any thread. A handler outlives the parts of the server that it answers from.
class RouteHandler {
public:
  RouteHandler() = default;
  virtual ~RouteHandler() = default;
  RouteHandler(const RouteHandler &) = delete;
  RouteHandler &operator=(const RouteHandler &) = delete;

  // Names the handler in messages about its routes: "the console".
  virtual std::string name() const = 0;
  // The server calls it once, when it starts.
  virtual std::vector<HttpRoute> routes() const = 0;
  // Answers a request for one of the routes, at once or later; must not block. `caller` is null if
  // callers are not identified. The body has not been read: a handler that wants it calls
  // HttpExchange::readBody() with the most bytes that it takes.
  virtual void handle(const std::shared_ptr<HttpExchange> &exchange,
                      const PrincipalPointer &caller) = 0;
};

} // namespace skillhost
