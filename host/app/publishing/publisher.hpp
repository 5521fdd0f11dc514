// SPDX-License-Identifier: Apache-2.0
// GET and HEAD of /.well-known/agent-skills/: the index of the skills that the configuration wants
// published, and the files it names (Agent Skills Discovery 0.2.0; ETag and If-None-Match of RFC
// 9110). Who may not read a skill is told nothing of it.
#pragma once

#include "app/configuration.hpp"
#include "base/http.hpp"
#include "host.hpp"
#include "protocol/mcp_endpoint.hpp"
#include "publishing/index_text.hpp"
#include "skills/glob.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

// Any thread; host and endpoint outlive it. Never waits.
class Publisher {
public:
  Publisher(const HttpConfiguration &configuration, Host &host, McpEndpoint &mcp);

  // Is it a path to ask handle() for? Never when nothing is published.
  bool publishes(std::string_view path) const;
  void handle(const std::shared_ptr<HttpExchange> &exchange) const;

private:
  using Exchange = const std::shared_ptr<HttpExchange> &;

  void admitted(Exchange exchange, const PrincipalPointer &principal) const;
  void sendIndex(Exchange exchange, const std::shared_ptr<const Catalogue> &seen,
                 const Visibility::Key &key) const;
  void sendArtefact(Exchange exchange, const CatalogueEntry &entry) const;
  void send(HttpExchange &exchange, std::string_view type, const std::string &digest,
            const Fragments::Shared &bytes) const;
  bool isPublished(const CatalogueEntry &entry) const;

  std::vector<Glob> sources_;
  bool openly_, asksWho_;
  Host &host_;
  McpEndpoint &mcp_;
  std::shared_ptr<Artefacts> artefacts_;
};

} // namespace skillhost::app
