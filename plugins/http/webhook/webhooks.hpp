// SPDX-License-Identifier: Apache-2.0
// POST /hooks/<source>: whoever keeps a source's skills tells that there are new ones. Signed as
// GitHub, Gitea and Forgejo sign: X-Hub-Signature-256 is the HMAC-SHA-256 of the body.
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

  // Sources without a secret have no hook.
  Webhooks(WebhookSecrets secrets, const HttpParts &parts);
  // From now on the hooks are these. Any thread.
  void set(WebhookSecrets secrets);

  std::string name() const override { return "the hooks of sources"; }
  std::vector<HttpRoute> routes() const override;
  // Never waits. 202: the source is being asked; what it says shows in the catalogue. 401: there is
  // no signature, and the body is not let in; or there is no such hook, or the signature is not
  // that of the body. The body is checked while it comes, and not kept.
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
