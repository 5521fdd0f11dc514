// SPDX-License-Identifier: Apache-2.0
// POST /hooks/<source>: the publisher of a source's skills reports new ones. Requests are signed
// like those of GitHub, Gitea and Forgejo: X-Hub-Signature-256 is the HMAC-SHA-256 of the body.
#pragma once

#include "access/audit.hpp"
#include "ground/guarded.hpp"
#include "ground/hmac.hpp"
#include "ground/secret.hpp"
#include "http/http_routes.hpp"
#include "http/route_handler.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

using WebhookSecrets = std::map<std::string, Secret, std::less<>>; // by source

class Webhooks final : public RouteHandler {
public:
  static constexpr std::string_view folder = "/hooks/";

  // A source without a secret has no hook.
  Webhooks(WebhookSecrets secrets, const HttpParts &parts);
  // Replaces all hooks. Any thread.
  void set(WebhookSecrets secrets);

  std::string name() const override { return "the hooks of sources"; }
  std::vector<HttpRoute> routes() const override;
  // Never blocks. Answers with 202 if the source is refreshed; the result shows in the catalogue.
  // Answers with 401 if there is no signature, without reading the body, and also if there is no
  // such hook or the signature does not fit the body. The body is checked while it arrives and is
  // not kept.
  void handle(const std::shared_ptr<HttpExchange> &exchange,
              const PrincipalPointer &caller) override;

private:
  void judge(HttpExchange &exchange, const std::string &source, HmacSha256 &received) const;
  void refuse(HttpExchange &exchange) const;

  Guarded<std::shared_ptr<const WebhookSecrets>> secrets_;
  Server &server_;
  Audit &audit_;
};

} // namespace skillhost
