// SPDX-License-Identifier: Apache-2.0
#include "mcp/authorization.hpp"

#include "access/access.hpp"
#include "ground/json_text.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"

#include <nlohmann/json.hpp>

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero
#include <unistd.h>

#include <utility>

namespace skillhost {
namespace {

constexpr const char *tokenName = "access_token";

Secret takeFrom(Json &object) {
  const auto found = object.find(tokenName);
  if (found == object.end()) return {};
  Secret token;
  if (found->is_string()) {
    auto &text = found->get_ref<std::string &>();
    token = Secret(text);
    ::explicit_bzero(text.data(), text.size());
  }
  object.erase(found);
  return token;
}

// What is used of the server, for the audit: the tool or the URI.
std::string_view subjectOf(const Call &call) {
  for (const char *member : {"name", "uri"}) {
    const auto found = call.params().find(member);
    if (found != call.params().end() && found->is_string())
      return found->get_ref<const std::string &>();
  }
  return {};
}

std::string scopesText(const Permissions::Scopes &scopes) {
  std::string text;
  for (const std::string &scope : scopes) (text += text.empty() ? "" : " ") += scope;
  return text;
}

void refuse(const CallPointer &call, const Failure &failure, const Permissions::Scopes &needed) {
  const int status = describe(failure.fault).http;
  if (failure.fault != Fault::Cancelled)
    call->services().access->audit().write({"refused", status, failure.message, call->method(),
                                            subjectOf(*call), call->origin(),
                                            call->principal().get()});
  const int code = refusalCode(call->method(), failure.fault);
  if (code == status) return call->failWith(failure.fault, code, failure.message);
  std::string data;
  if (failure.fault == Fault::Unavailable) {
    data = R"({"retryable":true})";
  } else if (!needed.empty()) {
    data = R"({"scope":)";
    appendJsonString(data, scopesText(needed));
    data += '}';
  }
  call->fail(failure, data);
}

// The principal is known: has it the scopes?
void permit(const CallPointer &call, const std::function<void()> &proceed) {
  const Access &access = *call->services().access;
  const Permissions &permissions = access.permissions();
  if (access.authenticator() != nullptr) {
    if (!permissions.missing(call->method(), call->params(), call->principal().get()).empty()) {
      const auto needed = permissions.needed(call->method(), call->params());
      return refuse(call, {Fault::Denied, "insufficient scope: needed " + scopesText(needed)},
                    needed);
    }
    // Over HTTP a session tells those who listen to it.
    if (call->session().client() == ClientSession::Client::Only)
      call->session().seenBy(call->principal());
  }
  if (Permissions::need(call->method(), call->params()) == Need::Manage)
    access.audit().write({.what = "managed",
                          .method = call->method(),
                          .subject = subjectOf(*call),
                          .peer = call->origin(),
                          .principal = call->principal().get()});
  proceed();
}

} // namespace

Secret takeAccessToken(Message &message) {
  Secret token = takeFrom(message.params);
  const auto meta = message.params.find("_meta");
  if (meta == message.params.end() || !meta->is_object()) return token;
  Secret other = takeFrom(*meta);
  return token.empty() ? std::move(other) : std::move(token);
}

int refusalCode(std::string_view method, Fault fault) noexcept {
  const FaultInfo &info = describe(fault);
  return method == "call_tool" || method == "list_tools" ? info.http : info.jsonRpc;
}

std::string localPeer() { return "unix:uid=" + std::to_string(::getuid()); }

void authorize(const CallPointer &call, std::function<void()> proceed) {
  const Access *const access = call->services().access;
  if (access == nullptr || Permissions::need(call->method(), call->params()) == Need::Nothing)
    return proceed();
  if (access->authenticator() == nullptr || call->principal()) return permit(call, proceed);
  const Secret token = call->takeToken();
  if (token.empty())
    return refuse(call,
                  {Fault::Unauthenticated, "an access token is required: send access_token in "
                                           "params or in params._meta"},
                  access->permissions().needed(call->method(), call->params()));
  // What stays open is asked about again.
  if (call->method() == "subscriptions/listen") call->present(token.copy());
  const std::string peer = localPeer();
  // The session keeps the call; the validation must not, for it may outlive both.
  access->authenticator()->authenticate(
      {"bearer", token.reveal(), access->resource(), peer}, call->cancel(),
      [weak = std::weak_ptr<Call>(call),
       proceed = std::move(proceed)](const Result<PrincipalPointer> &principal) {
        const CallPointer waiting = weak.lock();
        if (!waiting || waiting->finished()) return;
        if (!principal) return refuse(waiting, principal.failure(), {});
        waiting->identify(*principal);
        permit(waiting, proceed);
      });
}

bool mayManage(const Access *access, const PrincipalPointer &principal) {
  if (access == nullptr || access->authenticator() == nullptr) return true;
  static const Json reload{{"name", "reload_skills_directory"}};
  return access->permissions().missing("tools/call", reload, principal.get()).empty();
}

bool mayManage(const Call &call) { return mayManage(call.services().access, call.principal()); }

} // namespace skillhost
