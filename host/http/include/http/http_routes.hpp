// SPDX-License-Identifier: Apache-2.0
// Maps the paths of the HTTP server to their handlers.
#pragma once

#include "access/access.hpp"
#include "base/http.hpp"
#include "base/readiness.hpp"
#include "ground/guarded.hpp"
#include "ground/result.hpp"
#include "http/mcp_endpoint.hpp"
#include "http/route_handler.hpp"
#include "mcp/server.hpp"
#include "skills/library.hpp"

#include <functional>
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
  // owners if two of them claim a path. While `isComplete` returns false, an unknown path may
  // belong to a handler that is still to be added, and is answered with 503.
  using Handlers = std::vector<std::shared_ptr<RouteHandler>>;
  HttpRoutes(const HttpParts &parts, const Handlers &handlers = {},
             std::vector<ReadinessReport> reports = {}, std::function<bool()> isComplete = {});
  ~HttpRoutes();
  HttpRoutes(const HttpRoutes &) = delete;
  HttpRoutes &operator=(const HttpRoutes &) = delete;

  void handle(const std::shared_ptr<HttpExchange> &exchange) const;
  // Adds further handlers while requests arrive: all of them, or none if it fails, with the words
  // of the constructor.
  Status add(const Handlers &handlers);

private:
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
  const std::function<bool()> isComplete_;
  Guarded<std::shared_ptr<const RouteTable>> table_;
};

} // namespace skillhost
