// SPDX-License-Identifier: Apache-2.0
// Admits requests over HTTP: passes the credential of a request to the access layer, and answers a
// refused client with the fields that it needs to get access (RFC 6750, RFC 9728).
#pragma once

#include "access/access.hpp"
#include "base/http.hpp"
#include "ground/result.hpp"
#include "rpc/message.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

// Any thread.
class HttpAuthFilter : public std::enable_shared_from_this<HttpAuthFilter> {
public:
  using OnAdmitted = std::function<void(PrincipalPointer)>;
  using OnRefused = std::function<void()>;

  // `access` outlives the filter. If it is null or has no provider, every caller is admitted
  // without a principal. `publicUrl` is the URL of the MCP endpoint. If `passTrace` is set, the
  // provider passes the trace of the request on with its own requests.
  HttpAuthFilter(const Access *access, std::string_view publicUrl, bool passTrace);

  // Calls `onAdmitted` on this thread or on one of the provider's, or answers the exchange itself
  // with 400, 401 or 503 and `fields`. If the provider rejects a credential that is no token,
  // `onRefused` is called in place of that answer.
  void admit(const std::shared_ptr<HttpExchange> &exchange, const HttpFields &fields,
             const OnAdmitted &onAdmitted, const OnRefused &onRefused = {}) const;
  // Returns true after answering with 403 if the principal lacks a scope of the permission that the
  // message needs.
  bool refuseUnless(HttpExchange &exchange, const HttpFields &fields,
                    const PrincipalPointer &principal, Permission need,
                    const Message &message) const;
  // Does the same for other paths. If `onRefused` is set, it is called in place of the answer.
  bool refuseUnless(HttpExchange &exchange, const PrincipalPointer &principal, Permission need,
                    const OnRefused &onRefused = {}) const;
  // Returns the name of the principal for the table of sessions, which keeps the sessions of
  // different owners apart. Empty if there is no principal: such sessions belong to everybody.
  static std::string ownerOf(const PrincipalPointer &principal);

private:
  bool refuseUnless(HttpExchange &exchange, const HttpFields &fields,
                    const PrincipalPointer &principal, Permission need, std::string_view method,
                    std::string_view id) const;
  // `showsToken` is true if the request had a token, right or wrong.
  void answer(HttpExchange &exchange, HttpFields fields, const AccessRefusal &refusal,
              bool showsToken, std::string_view method, std::string_view id) const;

  const Access *const access_;
  std::string metadata_; // URL of the metadata document
  bool passTrace_;
};

} // namespace skillhost
