// SPDX-License-Identifier: Apache-2.0
#include "auth_filter.hpp"

#include "access/challenge.hpp"
#include "ground/cancel.hpp"
#include "http/mcp_endpoint.hpp"
#include "mcp/authorization.hpp"
#include "rpc/revision.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

void answer(HttpExchange &exchange, HttpFields fields, int status, std::string_view method,
            std::string_view id, const Failure &failure) {
  exchange.respond({status, "application/json", std::move(fields),
                    errorMessage(id, refusalCode(method, failure.fault), failure.message, {})});
}

} // namespace

std::string metadataUrl(std::string_view resource) {
  const std::size_t scheme = resource.find("://");
  if (scheme == std::string_view::npos) return {};
  const std::size_t path = std::min(resource.find('/', scheme + 3), resource.size());
  std::string url(resource.substr(0, path));
  url += metadataFolder;
  if (resource.substr(path) != "/") url += resource.substr(path);
  return url;
}

HttpAuthFilter::HttpAuthFilter(const Access *access, std::string_view publicUrl)
    : access_(access), metadata_(metadataUrl(publicUrl)) {}

std::string HttpAuthFilter::ownerOf(const PrincipalPointer &principal) {
  return principal ? principal->issuer + '\n' + principal->subject : std::string();
}

void HttpAuthFilter::refuse(HttpExchange &exchange, HttpFields fields, int status,
                            const Failure &failure, std::string_view error) const {
  const HttpRequest &asked = exchange.request();
  access_->audit().write(
      {.what = "refused", .status = status, .reason = failure.message, .peer = asked.peer});
  if (status == 503) {
    fields.emplace_back("Retry-After", "5");
  } else {
    // What reading needs: whoever needs more is told so when it is asked for.
    const Permissions::Scopes scopes = access_->permissions().needed("tools/list", Json::object());
    fields.emplace_back(
        "WWW-Authenticate",
        challengeText({metadata_, error, error.empty() ? std::string_view{} : failure.message,
                       status == 401 ? std::span<const std::string>(scopes)
                                     : std::span<const std::string>()}));
  }
  answer(exchange, std::move(fields), status, {}, "null", failure);
}

void HttpAuthFilter::admit(const std::shared_ptr<HttpExchange> &exchange, const HttpFields &fields,
                           const Admitted &admitted, const std::function<void()> &otherwise) const {
  Authenticator *const authenticator = access_ == nullptr ? nullptr : access_->authenticator();
  if (authenticator == nullptr) return admitted(nullptr);
  const HttpRequest &asked = exchange->request();
  Presented shown = presentedBy(asked, access_->credentials());
  if (shown.state == Bearer::State::Malformed)
    return refuse(*exchange, fields, 400, {Fault::InvalidRequest, std::string(shown.reason)},
                  "invalid_request");
  if (shown.state == Bearer::State::Missing)
    return refuse(*exchange, fields, 401, {Fault::Unauthenticated, "an access token is required"},
                  {});
  const CancelToken cancel;
  const bool token = shown.scheme == "bearer";
  authenticator->authenticate(
      {shown.scheme, shown.value, access_->resource(), asked.peer, std::move(shown.caller)}, cancel,
      [self = shared_from_this(), exchange, fields, admitted, otherwise,
       token](const Result<PrincipalPointer> &principal) {
        if (principal) return admitted(*principal);
        if (otherwise && !token) return otherwise();
        const Failure &why = principal.failure();
        if (why.fault != Fault::Unauthenticated)
          self->refuse(*exchange, fields, 503, why, {});
        else if (token)
          self->refuse(*exchange, fields, 401, why, "invalid_token");
        else
          self->refuse(*exchange, fields, 401,
                       {why.fault, "what this client shows is not enough: an access token is "
                                   "required"},
                       {});
      });
}

bool HttpAuthFilter::forbid(HttpExchange &exchange, const HttpFields &fields,
                            const PrincipalPointer &principal, const Message &message) const {
  if (access_ == nullptr || access_->authenticator() == nullptr) return false;
  const Permissions &permissions = access_->permissions();
  if (permissions.missing(message.method, message.params, principal.get()).empty()) return false;
  forbidden(exchange, fields, principal, permissions.needed(message.method, message.params),
            message.method, message.id);
  return true;
}

bool HttpAuthFilter::forbidManaging(HttpExchange &exchange, const PrincipalPointer &principal,
                                    const std::function<void()> &otherwise) const {
  // What reading the figures by a tool needs, whoever scrapes them needs too.
  static const Json figures{{"name", "get_server_stats"}};
  if (!otherwise) return forbidLike(exchange, principal, "tools/call", figures);
  if (access_->permissions().missing("tools/call", figures, principal.get()).empty()) return false;
  otherwise();
  return true;
}

bool HttpAuthFilter::forbidReading(HttpExchange &exchange,
                                   const PrincipalPointer &principal) const {
  static const Json nothing = Json::object();
  return forbidLike(exchange, principal, "tools/list", nothing);
}

bool HttpAuthFilter::forbidLike(HttpExchange &exchange, const PrincipalPointer &principal,
                                std::string_view method, const Json &params) const {
  if (access_ == nullptr || access_->authenticator() == nullptr) return false;
  const Permissions &permissions = access_->permissions();
  if (permissions.missing(method, params, principal.get()).empty()) return false;
  forbidden(exchange, {}, principal, permissions.needed(method, params), {}, "null");
  return true;
}

void HttpAuthFilter::forbidden(HttpExchange &exchange, HttpFields fields,
                               const PrincipalPointer &principal, const Permissions::Scopes &needed,
                               std::string_view method, std::string_view id) const {
  const Failure failure{Fault::Denied, "insufficient scope"};
  access_->audit().write({.what = "refused",
                          .status = 403,
                          .reason = failure.message,
                          .method = method,
                          .peer = exchange.request().peer,
                          .principal = principal.get()});
  fields.emplace_back("WWW-Authenticate",
                      challengeText({metadata_, "insufficient_scope", failure.message, needed}));
  answer(exchange, std::move(fields), 403, method, id, failure);
}

} // namespace skillhost
