// SPDX-License-Identifier: Apache-2.0
// The MCP Server Card (SEP-2127): a public document that says who the server is and where clients
// connect. It contains no skills, tools or resources.
#pragma once

#include "http/http_routes.hpp"
#include "http/route_handler.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct ServerCardTexts {
  std::string name; // com.example/skills
  std::string description;
  std::string version; // of this program
};

// Returns true for a domain in reverse, a slash and a word: "com.example/skills".
bool isServerName(std::string_view name) noexcept;
// Returns the card as JSON. `publicUrl` is the URL of the MCP endpoint.
std::string serverCardText(const ServerCardTexts &texts, std::string_view publicUrl);

// Serves the card below the path of MCP, and at the well-known path that older clients ask for. It
// answers everybody, whatever token, Host and Origin a request has, and never blocks.
class ServerCard final : public RouteHandler {
public:
  ServerCard(const ServerCardTexts &texts, const HttpParts &parts);

  std::string name() const override { return "the server card"; }
  std::vector<HttpRoute> routes() const override;
  void handle(const std::shared_ptr<HttpExchange> &exchange,
              const PrincipalPointer &caller) override;

private:
  const std::string path_; // below the path of MCP
  const std::string text_, tag_;
};

} // namespace skillhost
