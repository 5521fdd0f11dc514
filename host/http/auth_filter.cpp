// SPDX-License-Identifier: Apache-2.0
#include "auth_filter.hpp"

#include "base/trace_context.hpp"
#include "ground/cancel.hpp"
#include "ground/url.hpp"
#include "http/mcp_endpoint.hpp"
#include "net/challenge.hpp"
#include "rpc/revision.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

// Returns the error code of the challenge (RFC 6750, section 3.1); empty if the request showed no
// token.
std::string_view errorOf(const AccessRefusal &refusal, bool showsToken) {
  switch (refusal.status()) {
  case 400:
    return "invalid_request";
  case 403:
    return "insufficient_scope";
  default:
    return showsToken ? "invalid_token" : "";
  }
}

} // namespace

std::string metadataUrl(std::string_view resource) {
  const auto parts = urlParts(resource);
  if (!parts) return {};
  std::string url(parts->origin);
  url += metadataFolder;
  if (parts->rest != "/") url += parts->rest;
  return url;
}

HttpAuthFilter::HttpAuthFilter(const Access *access, std::string_view publicUrl, bool passTrace)
    : access_(access), metadata_(metadataUrl(publicUrl)), passTrace_(passTrace) {}

std::string HttpAuthFilter::ownerOf(const PrincipalPointer &principal) {
  return principal ? principal->issuer + '\n' + principal->subject : std::string();
}

void HttpAuthFilter::answer(HttpExchange &exchange, HttpFields fields, const AccessRefusal &refusal,
                            bool showsToken, std::string_view method, std::string_view id) const {
  const int status = refusal.status();
  if (status == 503) {
    fields.emplace_back("Retry-After", "5");
  } else {
    const std::string_view error = errorOf(refusal, showsToken);
    fields.emplace_back("WWW-Authenticate",
                        challengeText({metadata_, error,
                                       error.empty() ? std::string_view{} : refusal.failure.message,
                                       refusal.neededScopes}));
  }
  exchange.respond(
      {status, "application/json", std::move(fields),
       errorMessage(id, refusal.code(method), refusal.failure.message, refusal.data())});
}

void HttpAuthFilter::admit(const std::shared_ptr<HttpExchange> &exchange, const HttpFields &fields,
                           const OnAdmitted &onAdmitted, const OnRefused &onRefused) const {
  Authenticator *const authenticator = access_ == nullptr ? nullptr : access_->authenticator();
  if (authenticator == nullptr) return onAdmitted(nullptr);
  const HttpRequest &asked = exchange->request();
  PresentedCredential shown = presentedCredential(asked, access_->credentials());
  const bool showsToken = shown.state == Bearer::State::Present && shown.scheme == "bearer";
  // The challenge names the scope for reading. A client that needs more learns so when it asks for
  // more.
  const auto refuse = [self = shared_from_this(), exchange, fields,
                       showsToken](Failure why, Permission need = Permission::Nothing) {
    const AccessRequest asking{.peer = std::string(exchange->request().peer)};
    self->answer(*exchange, fields, self->access_->refuse(std::move(why), asking, need), showsToken,
                 {}, "null");
  };
  if (shown.state == Bearer::State::Malformed)
    return refuse({Fault::InvalidRequest, std::string(shown.reason)});
  if (shown.state == Bearer::State::Unset)
    return refuse({Fault::Unauthenticated, std::string(shown.reason)}, Permission::Read);
  if (shown.state == Bearer::State::Missing)
    return refuse({Fault::Unauthenticated, "an access token is required"}, Permission::Read);
  const CancelToken cancel;
  // The message is not read yet, so its call has no span. The parent is the span of the client.
  TracePointer trace = passTrace_ ? clientTraceFields(asked.field("traceparent").value_or(""),
                                                      asked.field("tracestate").value_or(""))
                                  : nullptr;
  authenticator->authenticate(
      {shown.scheme, shown.value, access_->resource(), asked.peer, std::move(shown.caller),
       std::move(trace)},
      cancel,
      [refuse, exchange, onAdmitted, onRefused,
       showsToken](const Result<PrincipalPointer> &principal) {
        if (principal) {
          exchange->protectConnection();
          return onAdmitted(*principal);
        }
        if (onRefused && !showsToken) return onRefused();
        const Failure &why = principal.failure();
        if (why.fault != Fault::Unauthenticated)
          refuse({Fault::Unavailable, why.message});
        else if (showsToken)
          refuse(why, Permission::Read);
        else
          refuse({why.fault, "nothing identifies this client: an access token is required"},
                 Permission::Read);
      });
}

bool HttpAuthFilter::refuseUnless(HttpExchange &exchange, const HttpFields &fields,
                                  const PrincipalPointer &principal, Permission need,
                                  const Message &message) const {
  if (access_ == nullptr || access_->authenticator() == nullptr) return false;
  return refuseUnless(exchange, fields, principal, need, message.method, message.id);
}

bool HttpAuthFilter::refuseUnless(HttpExchange &exchange, const PrincipalPointer &principal,
                                  Permission need, const OnRefused &onRefused) const {
  if (!onRefused) return refuseUnless(exchange, {}, principal, need, {}, "null");
  if (access_ == nullptr || access_->allows(need, principal.get())) return false;
  onRefused();
  return true;
}

bool HttpAuthFilter::refuseUnless(HttpExchange &exchange, const HttpFields &fields,
                                  const PrincipalPointer &principal, Permission need,
                                  std::string_view method, std::string_view id) const {
  if (access_ == nullptr) return false;
  const auto refusal = access_->check(need, {.method = method,
                                             .peer = std::string(exchange.request().peer),
                                             .principal = principal.get()});
  if (refusal) answer(exchange, fields, *refusal, true, method, id);
  return refusal.has_value();
}

} // namespace skillhost
