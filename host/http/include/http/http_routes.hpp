// SPDX-License-Identifier: Apache-2.0
// Which path of the HTTP server leads where.
#pragma once

#include "access/access.hpp"
#include "base/http.hpp"
#include "base/readiness.hpp"
#include "http/mcp_endpoint.hpp"
#include "http/route_handler.hpp"
#include "mcp/server.hpp"
#include "skills/library.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost {

// Handlers answer from these parts, which live as long as requests come.
struct HttpParts {
  Library &library;
  const Access &access;
  Server &server;
  McpEndpoint &mcp;
  const HttpRules &rules; // of `mcp`; looked at while routes and handlers are made, no later
};

class RouteTable;

// Any thread.
class HttpRoutes {
public:
  // MCP, the metadata of the resource (RFC 9728), /healthz and /readyz, and the routes of
  // `handlers`. /readyz tells what `reports` say. Throws std::runtime_error that names both if two
  // of them claim a path.
  HttpRoutes(const HttpParts &parts,
             const std::vector<std::shared_ptr<RouteHandler>> &handlers = {},
             std::vector<ReadinessReport> reports = {});
  ~HttpRoutes();
  HttpRoutes(const HttpRoutes &) = delete;
  HttpRoutes &operator=(const HttpRoutes &) = delete;

  void handle(const std::shared_ptr<HttpExchange> &exchange) const;

private:
  void addOwnRoutes();
  bool isMcp(std::string_view path) const;
  void metadata(const std::shared_ptr<HttpExchange> &exchange) const;
  void readiness(const std::shared_ptr<HttpExchange> &exchange) const;
  void refuseUnknown(HttpExchange &exchange) const;
  // Numbers, and what failed, are of what `asker` sees.
  enum class Detail : bool { None, Seen };
  void tellReadiness(HttpExchange &exchange, Detail detail,
                     const PrincipalPointer &asker = nullptr) const;

  Library &library_;
  const Access &access_;
  McpEndpoint &mcp_;
  const std::string path_, publicUrl_, metadataPath_;
  const std::vector<ReadinessReport> reports_;
  const std::unique_ptr<RouteTable> table_;
};

} // namespace skillhost
