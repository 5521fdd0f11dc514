// SPDX-License-Identifier: Apache-2.0
// Which path of the HTTP server leads where.
#pragma once

#include "access/principal.hpp"
#include "base/http.hpp"
#include "host.hpp"
#include "protocol/mcp_endpoint.hpp"
#include "publishing/publisher.hpp"
#include "webhooks.hpp"

#include <memory>
#include <string>

namespace skillhost::app {

// Any thread; both must outlive it.
class HttpRoutes {
public:
  HttpRoutes(const Configuration &configuration, Host &host, McpEndpoint &mcp,
             const HttpRules &rules);

  void handle(const std::shared_ptr<HttpExchange> &exchange) const;
  // From now on the hooks are those of this configuration.
  void configureHooks(const Configuration &configuration) { webhooks_.configure(configuration); }

private:
  void metadata(HttpExchange &exchange) const; // RFC 9728
  // 200 as long as the process answers; ready: as soon as there is a catalogue.
  void health(HttpExchange &exchange) const;
  void readiness(const std::shared_ptr<HttpExchange> &exchange) const;
  // Numbers, and what failed, are of what `asker` sees.
  enum class Detail : bool { None, Seen };
  void tellReadiness(HttpExchange &exchange, Detail detail,
                     const PrincipalPointer &asker = nullptr) const;
  void figures(HttpExchange &exchange, const PrincipalPointer &asker) const;

  Host &host_;
  McpEndpoint &mcp_;
  Webhooks webhooks_;
  const Publisher publisher_;
  const std::string path_, publicUrl_, metadataPath_;
};

} // namespace skillhost::app
