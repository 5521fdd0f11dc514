// SPDX-License-Identifier: Apache-2.0
// The paths at and below /console: a page of constants, the same for everybody. What it shows comes
// from the MCP endpoint, with the visitor's own credential.
#pragma once

#include "access/access.hpp"
#include "base/http.hpp"
#include "http/console_page.hpp"
#include "http/mcp_endpoint.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Any thread.
class Console {
public:
  static constexpr std::string_view path = "/console";

  // `access` and `mcp`, which answers at the path of rules.publicUrl for who comes from outside and
  // at rules.path where there is no such URL, outlive it. `files` is what consolePage()
  // says; empty: there is no console, and its paths are not found.
  Console(std::span<const ConsoleFile> files, const Access &access, McpEndpoint &mcp,
          const HttpRules &rules);

  // Whether handle() answers what is asked of this path.
  bool serves(std::string_view asked) const noexcept;
  void handle(const std::shared_ptr<HttpExchange> &exchange) const;

private:
  void sendPage(HttpExchange &exchange) const;
  void sendAsset(HttpExchange &exchange, const ConsoleFile &file) const;
  std::string contentPolicy() const;

  const std::span<const ConsoleFile> files_;
  const Access &access_;
  McpEndpoint &mcp_;
  const std::string publicUrl_; // of the MCP endpoint
  const std::string page_;      // what a browser is sent first
  const std::vector<std::string> origins_;
};

// Whether an Accept-Encoding field lets an answer be compressed by gzip (RFC 9110 §12.5.3). For who
// has sent none, any coding will do.
bool acceptsGzip(const HttpRequest &request);

} // namespace skillhost
