// SPDX-License-Identifier: Apache-2.0
// POST /hooks/<source>: whoever keeps a source's skills tells that there are new ones. Signed as
// GitHub, Gitea and Forgejo sign: X-Hub-Signature-256 is the HMAC-SHA-256 of the body.
#pragma once

#include "access/audit.hpp"
#include "base/http.hpp"
#include "ground/guarded.hpp"
#include "ground/hmac.hpp"
#include "ground/secret.hpp"
#include "http/http_routes.hpp"
#include "skills/library.hpp"
#include "state/shared_state.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

class Webhooks {
public:
  static constexpr std::string_view folder = "/hooks/";

  // All must outlive it. Sources without a secret have no hook. `shared` tells the other replicas;
  // null: there are none.
  Webhooks(WebhookSecrets secrets, Library &library, Audit &audit, SharedState *shared);
  // From now on the hooks are these.
  void set(WebhookSecrets secrets);

  // Of a path below `folder`; never waits. 202: the source is being asked; what it says shows in
  // the catalogue. 401: there is no signature, and the body is not let in; or there is no such
  // hook, or the signature is not that of the body. The body is checked while it comes, and not
  // kept.
  void handle(const std::shared_ptr<HttpExchange> &exchange) const;

private:
  void judge(HttpExchange &exchange, const std::string &source, HmacSha256 &received) const;
  void refuse(HttpExchange &exchange) const;

  Guarded<std::shared_ptr<const WebhookSecrets>> secrets_;
  Library &library_;
  Audit &audit_;
  SharedState *const shared_;
};

} // namespace skillhost
