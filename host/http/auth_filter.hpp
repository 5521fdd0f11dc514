// SPDX-License-Identifier: Apache-2.0
// Who comes in over HTTP: asks the access layer about the credential of a request, and tells a
// client that is refused what it needs to be let in (RFC 6750, RFC 9728).
#pragma once

#include "access/access.hpp"
#include "base/http.hpp"
#include "ground/result.hpp"
#include "mcp/own_resources.hpp"
#include "mcp/own_tools.hpp"
#include "rpc/message.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

// Any thread.
class HttpAuthFilter : public std::enable_shared_from_this<HttpAuthFilter> {
public:
  using Admitted = std::function<void(PrincipalPointer)>;

  // `access` outlives it; null, or one without a provider: everybody comes in as nobody. So do the
  // `tools` and `resources`, by which it knows what a message needs.
  // `publicUrl` is that of the MCP endpoint.
  // `passTrace`: what the provider asks in turn says which trace the request belongs to.
  HttpAuthFilter(const Access *access, const OwnTools &tools, const OwnResources &resources,
                 std::string_view publicUrl, bool passTrace);

  // Calls `admitted` on this thread or one of the provider's, or answers the exchange itself with
  // 400, 401 or 503. `fields` go with that answer. `otherwise`: called in place of it when what the
  // request shows, and it shows no token, is not enough.
  void admit(const std::shared_ptr<HttpExchange> &exchange, const HttpFields &fields,
             const Admitted &admitted, const std::function<void()> &otherwise = {}) const;
  // When the principal lacks a scope for this: answers with 403, and true.
  bool forbid(HttpExchange &exchange, const HttpFields &fields, const PrincipalPointer &principal,
              const Message &message) const;
  // The same for other paths. `otherwise`: called in place of the answer.
  bool forbid(HttpExchange &exchange, const PrincipalPointer &principal, Need need,
              const std::function<void()> &otherwise = {}) const;
  // Names whose sessions are kept apart; empty: everybody's.
  static std::string ownerOf(const PrincipalPointer &principal);

private:
  bool forbid(HttpExchange &exchange, const HttpFields &fields, const PrincipalPointer &principal,
              Need need, std::string_view method, std::string_view id) const;
  // `showsToken`: the request had one, right or wrong.
  void answer(HttpExchange &exchange, HttpFields fields, const AccessRefusal &refusal,
              bool showsToken, std::string_view method, std::string_view id) const;

  const Access *const access_;
  const OwnTools &tools_;
  const OwnResources &resources_;
  std::string metadata_; // URL of the metadata document
  bool passTrace_;
};

} // namespace skillhost
