// SPDX-License-Identifier: Apache-2.0
// The paths at and below /console: a page of constants, the same for everybody. The page reads its
// data from the MCP endpoint, with the visitor's own credential.
#pragma once

#include "access/access.hpp"
#include "console_page.hpp"
#include "http/http_routes.hpp"
#include "http/route_handler.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace skillhost {

class Console final : public RouteHandler {
public:
  // The page finds the MCP endpoint at the path of parts.rules.publicUrl, or at parts.rules.path if
  // there is no such URL. `files` are those of consolePage(); without files there is no console.
  // The page may send requests to `origins`, and to the servers that sign visitors in.
  Console(std::span<const ConsoleFile> files, const HttpParts &parts,
          std::vector<std::string> origins);

  std::string name() const override { return "the console"; }
  std::vector<HttpRoute> routes() const override;
  void handle(const std::shared_ptr<HttpExchange> &exchange,
              const PrincipalPointer &caller) override;

private:
  void sendPage(HttpExchange &exchange) const;
  void sendAsset(HttpExchange &exchange, const ConsoleFile &file) const;
  std::string contentPolicy() const;

  const std::span<const ConsoleFile> files_;
  const Access &access_;
  const std::string publicUrl_; // of the MCP endpoint
  const std::string page_;      // the page that a browser requests first
  const std::vector<std::string> origins_;
};

// Returns true if the Accept-Encoding fields allow gzip (RFC 9110 §12.5.3). Without such a field,
// any coding is allowed.
bool acceptsGzip(const HttpRequest &request);

} // namespace skillhost
