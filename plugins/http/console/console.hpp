// SPDX-License-Identifier: Apache-2.0
// The paths at and below /console: a page of constants, the same for everybody. What it shows comes
// from the MCP endpoint, with the visitor's own credential.
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
  // The endpoint of MCP answers at the path of parts.rules.publicUrl for who comes from outside,
  // and at parts.rules.path where there is no such URL. `files` is what consolePage() says; empty:
  // there is no console. `origins` may be asked by the page besides those that sign visitors in.
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
  const std::string page_;      // what a browser is sent first
  const std::vector<std::string> origins_;
};

// Whether an Accept-Encoding field lets an answer be compressed by gzip (RFC 9110 §12.5.3). For who
// has sent none, any coding will do.
bool acceptsGzip(const HttpRequest &request);

} // namespace skillhost
