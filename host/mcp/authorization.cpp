// SPDX-License-Identifier: Apache-2.0
#include "mcp/authorization.hpp"

#include "access/access.hpp"
#include "base/http.hpp"
#include "ground/json_member.hpp"
#include "mcp/client_session.hpp"
#include "mcp/plugin_tools.hpp"
#include "mcp/services.hpp"
#include "skill_tools.hpp"

#include <nlohmann/json.hpp>

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero
#include <unistd.h>

#include <algorithm>
#include <exception>
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

// Returns what the call uses of the server, for the audit: the tool or the URI.
std::string_view subjectOf(const Call &call) {
  const Json &name = memberOf(call.params(), "name");
  return name.is_string() ? name.get_ref<const std::string &>() : memberText(call.params(), "uri");
}

AccessRequest askingOf(const Call &call) {
  return {call.method(), subjectOf(call), call.requestOrigin().peer, call.principal().get()};
}

void answerRefused(const CallPointer &call, const AccessRefusal &refusal) {
  call->failWith(refusal.failure.fault, refusal.code(call->method()), refusal.failure.message,
                 refusal.data());
}

// Returns the place of a caller that reads the server's own resources, as pages and probes do every
// few seconds; empty for any other request.
std::string repeatedFrom(const Call &call) {
  if (call.method() != "resources/read") return {};
  const std::string &peer = call.requestOrigin().peer;
  return peer.empty() ? "stdio" : networkOf(peer);
}

// Runs `proceed` if the principal, which is known or not required, has the permission.
void permit(const CallPointer &call, Permission need, const std::function<void()> &proceed) {
  const Access &access = *call->services().access;
  // Nearly every request is allowed, and does not need the texts for the audit.
  if (!access.allows(need, call->principal().get()))
    if (const auto refusal = access.check(need, askingOf(*call)))
      return answerRefused(call, *refusal);
  // On stdio, notifications follow the principal that asked last. Over HTTP they follow the one
  // that listens.
  if (access.authenticator() != nullptr && call->session().client() == ClientSession::Client::Only)
    call->session().seenBy(call->principal());
  if (need == Permission::Manage) {
    const std::string from = repeatedFrom(*call);
    access.audit().write({.kind = "managed",
                          .method = call->method(),
                          .subject = subjectOf(*call),
                          .peer = call->requestOrigin().peer,
                          .principal = call->principal().get(),
                          .repeatedFrom = from});
  }
  proceed();
}

// Returns the offer of a plugin that a request names; null if it names none.
const PluginTool *pluginEntryOf(const PluginToolSet &seen, std::string_view method,
                                const Json &params) {
  const bool isResource = method.starts_with("resources/");
  if (!isResource && method != "tools/call" && method != "prompts/get") return nullptr;
  const auto found = params.find(isResource ? "uri" : "name");
  if (found == params.end() || !found->is_string()) return nullptr;
  const auto &key = found->get_ref<const std::string &>();
  if (isResource) return seen.resource(key);
  return method == "tools/call" ? seen.tool(key) : seen.prompt(key);
}

// Skills take precedence over what plugins offer under the same name.
bool isNameOfSkill(const Catalogue &catalogue, std::string_view method, const std::string &name) {
  if (method == "prompts/get") return catalogue.byName(name) != nullptr;
  return method == "tools/call" && findSkillTool(catalogue, name) != nullptr;
}

// True if the text stands in a name or a value of the request's params.
bool standsIn(const Json &params, std::string_view text) {
  if (params.is_string())
    return params.get_ref<const std::string &>().find(text) != std::string::npos;
  if (params.is_array())
    return std::any_of(params.begin(), params.end(),
                       [&](const Json &one) { return standsIn(one, text); });
  if (!params.is_object()) return false;
  return std::any_of(params.items().begin(), params.items().end(), [&](const auto &one) {
    return one.key().find(text) != std::string::npos || standsIn(one.value(), text);
  });
}

// True if the text contains an absolute path, also as file:///..., that the caller has not named.
bool namesForeignPath(std::string_view text, const Json &params) {
  constexpr std::string_view before = " \t\n\"'`([{<=,;:|", behind = " \t\n\"'`)]}>=,;:|";
  constexpr std::string_view scheme = "file:";
  for (std::size_t at = text.find('/'); at != std::string_view::npos; at = text.find('/', at + 1)) {
    const bool isUri = text.substr(0, at).ends_with(scheme);
    const bool begins = at == 0 || before.find(text[at - 1]) != std::string_view::npos;
    if (!begins) continue;
    std::string_view path = text.substr(at, text.find_first_of(behind, at) - at);
    while (path.ends_with('.')) path.remove_suffix(1); // the full stop
    if (!isUri && (path.size() < 2 || path[1] == '/')) continue;
    if (!standsIn(params, path)) return true;
  }
  return false;
}

} // namespace

Permission neededPermission(const Services &services, const PrincipalPointer &principal,
                            std::string_view method, const Json &params) {
  const Permission need = neededPermission(services.tools, services.resources, method, params);
  if (need != Permission::Read || !services.settings.toolPlugins || services.access == nullptr)
    return need;
  const PluginToolSetPointer all = services.pluginTools.current();
  const PluginTool *const entry = pluginEntryOf(*all, method, params);
  if (entry == nullptr || entry->need == Permission::Read) return need;
  const auto catalogue = services.library.catalogue();
  const Visibility::Key key = services.access->visibility().keyOf(principal.get());
  // A refusal must not show that an entry exists which this caller does not see.
  if (!Visibility::sees(key, entry->provider->name())) return need;
  return isNameOfSkill(*Visibility::view(catalogue, key), method, entry->key) ? need : entry->need;
}

void permitPluginEntry(const CallPointer &call, Permission need,
                       const std::function<void()> &proceed) {
  const Access *const access = call->services().access;
  if (need == Permission::Read || access == nullptr) return proceed();
  // Where nothing is reviewed, there is no scope for reviewers, and nobody has the permission.
  if (need == Permission::Review && !access->permissions().mayReview(call->principal().get()))
    return answerRefused(call, access->refuse({Fault::Denied, "only a reviewer may use this"},
                                              askingOf(*call), need));
  permit(call, need, proceed);
}

Secret takeAccessToken(Message &message) {
  Secret token = takeFrom(message.params);
  const auto meta = message.params.find("_meta");
  if (meta == message.params.end() || !meta->is_object()) return token;
  Secret other = takeFrom(*meta);
  return token.empty() ? std::move(other) : std::move(token);
}

std::string localPeer() { return "unix:uid=" + std::to_string(::getuid()); }

void authorize(const CallPointer &call, std::function<void()> proceed) {
  const Access *const access = call->services().access;
  if (access == nullptr) return proceed();
  const Permission need = neededPermission(call->services().tools, call->services().resources,
                                           call->method(), call->params());
  if (need == Permission::Nothing) return proceed();
  if (access->authenticator() == nullptr || call->principal()) return permit(call, need, proceed);
  const Secret token = call->takeToken();
  if (token.empty())
    return answerRefused(call,
                         access->refuse({Fault::Unauthenticated,
                                         "an access token is required: send access_token in params "
                                         "or in params._meta"},
                                        askingOf(*call), need));
  // A call that stays open has its credential checked again later.
  if (call->method() == "subscriptions/listen") call->setToken(token.copy());
  const std::string peer = localPeer();
  // The session owns the call. The validation must not, because it may outlive both.
  access->authenticator()->authenticate(
      {"bearer", token.reveal(), access->resource(), peer, nullptr, call->trace().passed},
      call->cancel(),
      [access, need, weak = std::weak_ptr<Call>(call),
       proceed = std::move(proceed)](const Result<PrincipalPointer> &principal) {
        const CallPointer waiting = weak.lock();
        if (!waiting || waiting->isFinished()) return;
        try {
          if (!principal)
            return answerRefused(waiting, access->refuse(principal.failure(), askingOf(*waiting)));
          waiting->setPrincipal(*principal);
          permit(waiting, need, proceed);
        } catch (const std::exception &why) {
          waiting->failWithException(why);
        }
      });
}

bool mayManage(const Access *access, const PrincipalPointer &principal) {
  return access == nullptr || access->allows(Permission::Manage, principal.get());
}

bool mayManage(const Call &call) { return mayManage(call.services().access, call.principal()); }

Failure failureForCaller(const Call &call, const Failure &failure) {
  if (mayManage(call) || !namesForeignPath(failure.message, call.params())) return failure;
  return {failure.fault, "It failed; the server's log has the reason. Tell the operator."};
}

} // namespace skillhost
