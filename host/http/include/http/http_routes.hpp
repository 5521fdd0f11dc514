// SPDX-License-Identifier: Apache-2.0
// Maps the paths of the HTTP server to their handlers.
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

// The parts that handlers answer from. They live as long as requests arrive.
struct HttpParts {
  Library &library;
  const Access &access;
  Server &server;
  McpEndpoint &mcp;
  const HttpRules &rules; // of `mcp`; read only while routes and handlers are created
};

class RouteTable;

// Any thread.
class HttpRoutes {
public:
  // Adds MCP, the metadata of the resource (RFC 9728), /healthz and /readyz, and the routes of
  // `handlers`. /readyz contains what `reports` return. Throws std::runtime_error that names both
  // owners if two of them claim a path.
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
  // Seen adds the details of reports, and numbers and failures of the sources that `asker` may see.
  enum class Detail : bool { None, Seen };
  void answerReadiness(HttpExchange &exchange, Detail detail,
                       const PrincipalPointer &asker = nullptr) const;

  Library &library_;
  const Access &access_;
  McpEndpoint &mcp_;
  const std::string path_, publicUrl_, metadataPath_;
  const std::vector<ReadinessReport> reports_;
  const std::unique_ptr<RouteTable> table_;
};

} // namespace skillhost
