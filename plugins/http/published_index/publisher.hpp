// SPDX-License-Identifier: Apache-2.0
// GET and HEAD of /.well-known/agent-skills/: the index of the skills that the configuration
// publishes, and the files that it names (Agent Skills Discovery 0.2.0; ETag and If-None-Match of
// RFC 9110); and of /.well-known/ai-catalog.json, which lists the same files. A caller who may not
// read a skill does not learn that it exists.
#pragma once

#include "ground/glob.hpp"
#include "http/http_routes.hpp"
#include "http/route_handler.hpp"
#include "listing_text.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct PublishRules {
  std::vector<Glob> sources; // sources whose skills are published; none: nothing is published
  bool openly = false;       // without requiring a token
  bool leakedKeys = false;   // includes skills that seem to contain a key
  std::string cardName{};    // of the server in its MCP Server Card; empty if it has none
};

// Never blocks.
class Publisher final : public RouteHandler {
public:
  Publisher(PublishRules rules, const HttpParts &parts);

  std::string name() const override { return "the published index"; }
  std::vector<HttpRoute> routes() const override; // none if nothing is published
  void handle(const std::shared_ptr<HttpExchange> &exchange,
              const PrincipalPointer &caller) override;

private:
  using Exchange = const std::shared_ptr<HttpExchange> &;

  void admitted(Exchange exchange, const PrincipalPointer &principal) const;
  // `whose` names the caller or its network.
  void sendListing(Exchange exchange, const std::shared_ptr<const Catalogue> &seen,
                   const Visibility::Key &key, const std::string &whose) const;
  // A skill that is being sent to a client.
  struct Download {
    std::shared_ptr<HttpExchange> exchange;
    std::shared_ptr<const Skill> skill;
    PrincipalPointer principal; // null if callers are not identified
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  };
  void sendArtefact(Download download, const std::string &whose) const;
  void record(const Download &download, const std::string &digest, std::string_view outcome) const;
  enum class Sent : bool { Nothing, All }; // Nothing: the client has it already
  Sent send(HttpExchange &exchange, std::string_view type, const std::string &digest,
            const Fragments::Shared &bytes) const;
  bool isPublished(const CatalogueEntry &entry) const;

  const PublishRules rules_;
  Library &library_;
  const Access &access_;
  Server &server_;
  const bool asksWho_;
  const AiCatalog aiCatalog_;
  std::shared_ptr<Artefacts> artefacts_;
};

} // namespace skillhost
