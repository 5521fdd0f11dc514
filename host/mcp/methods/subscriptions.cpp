// SPDX-License-Identifier: Apache-2.0
// logging/setLevel and subscriptions/listen set what a client is notified of.
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "rpc/log_levels.hpp"
#include "skillmd/naming.hpp"

namespace skillhost {
namespace {

// Reads a member that is true, false or absent; returns nothing if it is something else.
std::optional<bool> flagOf(const Json &object, const char *name) {
  const auto found = object.find(name);
  if (found == object.end()) return false;
  if (!found->is_boolean()) return std::nullopt;
  return found->get<bool>();
}

// Returns the requested URIs; nothing if they are no list of strings.
std::optional<std::set<std::string>> urisOf(const Json &wanted) {
  constexpr std::size_t most = 1024;
  std::set<std::string> uris;
  const auto found = wanted.find("resourceSubscriptions");
  if (found == wanted.end()) return uris;
  if (!found->is_array() || found->size() > most) return std::nullopt;
  for (const Json &uri : *found) {
    if (!uri.is_string() || uri.get_ref<const std::string &>().size() > maxUriBytes)
      return std::nullopt;
    uris.insert(uri.get<std::string>());
  }
  return uris;
}

} // namespace

void methods::setLogLevel(const CallPointer &call) {
  const auto level = requiredText(call, "level");
  if (!level) return;
  const auto number = logLevelNumber(*level);
  if (!number)
    return call->fail({Fault::InvalidParams, "params.level must be one of debug, info, notice, "
                                             "warning, error, critical, alert, emergency"});
  // The log mentions things that not everybody may see. A client who may not see them gets no
  // lines, which breaks no rule. If the client is one of many, that is checked with every line,
  // because the level also applies to messages of its own calls.
  ClientSession &session = call->session();
  if (session.client() != ClientSession::Client::Only || mayManage(*call))
    session.setLogLevel(*number);
  call->result(Fragments{});
}

void methods::listenToSubscriptions(const CallPointer &call) {
  const auto wanted = call->params().find("notifications");
  if (wanted == call->params().end() || !wanted->is_object())
    return call->fail({Fault::InvalidParams, "params.notifications must be an object"});
  const auto tools = flagOf(*wanted, "toolsListChanged");
  const auto prompts = flagOf(*wanted, "promptsListChanged");
  const auto resources = flagOf(*wanted, "resourcesListChanged");
  auto uris = urisOf(*wanted);
  if (!tools || !prompts || !resources || !uris)
    return call->fail({Fault::InvalidParams,
                       "params.notifications: the lists are true or false, "
                       "resourceSubscriptions is a list of at most 1024 URIs"});
  Json honoured = Json::object();
  if (*tools) honoured["toolsListChanged"] = true;
  if (*prompts) honoured["promptsListChanged"] = true;
  if (*resources) honoured["resourcesListChanged"] = true;
  if (!uris->empty()) honoured["resourceSubscriptions"] = *uris;
  call->removeTimeLimit();
  call->session().listen(
      {call, *tools, *prompts, *resources, *std::move(uris), call->watchCredential()},
      notificationMessage("notifications/subscriptions/acknowledged",
                          R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + call->id() +
                              R"(},"notifications":)" + honoured.dump() + "}"));
}

} // namespace skillhost
