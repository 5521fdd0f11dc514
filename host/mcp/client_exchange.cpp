// SPDX-License-Identifier: Apache-2.0
#include "client_exchange.hpp"

#include "access/access.hpp"
#include "base/exchange_rules.hpp"
#include "base/fault.hpp"
#include "ground/json_text.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "rpc/log_levels.hpp"
#include "rpc/plugin_result.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {
namespace {

const Json *metaOf(const Call &call, const char *name) {
  const auto meta = call.params().find("_meta");
  if (meta == call.params().end() || !meta->is_object()) return nullptr;
  const auto found = meta->find(name);
  return found == meta->end() ? nullptr : &*found;
}

// Returns the most verbose level that the client wants for this call; -1: none. A client of the
// older family that has set none gets messages of the level info and above.
int wantedLevel(const Call &call) {
  if (call.family() == ProtocolFamily::Legacy) {
    const int set = call.session().logLevel();
    return set < 0 ? infoLogLevel : set;
  }
  // An unknown level has been refused before.
  const Json *const said = metaOf(call, logLevelKey);
  if (said == nullptr || !said->is_string()) return -1;
  return logLevelNumber(said->get_ref<const std::string &>()).value_or(-1);
}

Status tellMessage(Call &call, LogLevel level, std::string_view logger, std::string_view data) {
  const Result<Json> parsed = parseJson(data, {exchange_rules::maxJsonDepth});
  if (!parsed) return {Fault::InvalidInput, parsed.failure().message};
  const int number = logLevelNumber(level);
  if (number > wantedLevel(call)) return Done{};
  std::string params = R"({"level":")";
  params += logLevelNames[static_cast<std::size_t>(number)];
  params += '"';
  if (!logger.empty()) {
    params += R"(,"logger":)";
    appendJsonString(params, logger);
  }
  params += R"(,"data":)" + parsed->dump() + '}';
  call.sendMessage(notificationMessage("notifications/message", params));
  return Done{};
}

Result<std::string> askClient(Call &call, std::string_view method, std::string_view params) {
  const std::string_view needed = capabilityFor(method);
  if (needed.empty())
    return {Fault::InvalidInput, "plugins cannot send the request " + std::string(method)};
  if (!capabilitiesOf(call).contains(needed))
    return {Fault::NotImplemented, "the client has no capability " + std::string(needed)};
  // Otherwise the question would be lost, and the call would wait for its answer until the
  // deadline.
  if (!call.canSendMessages())
    return {Fault::NotImplemented, "the client has no event stream to receive a request on"};
  std::string checked;
  if (!params.empty()) {
    const Result<Json> parsed = parseJson(params, {exchange_rules::maxJsonDepth});
    if (!parsed) return {Fault::InvalidInput, parsed.failure().message};
    if (!parsed->is_object()) return {Fault::InvalidInput, "the parameters are not a JSON object"};
    checked = parsed->dump();
  }
  return call.session().clientRequests.ask(call, method, checked);
}

bool canBeAsked(const Json &capabilities) {
  return std::any_of(capabilities.items().begin(), capabilities.items().end(), [](const auto &one) {
    return one.key() == "sampling" || one.key() == "elicitation" || one.key() == "roots";
  });
}

// Returns false if the call has failed.
bool takeInput(const CallPointer &call, const SignedRequestState::Binding &binding,
               Exchange &exchange) {
  const auto responses = call->params().find("inputResponses");
  if (responses != call->params().end()) {
    if (!responses->is_object()) {
      call->fail({Fault::InvalidParams, "params.inputResponses must be an object"});
      return false;
    }
    exchange.inputResponses = responses->dump();
  }
  const auto state = call->params().find("requestState");
  if (state == call->params().end()) return true;
  if (!state->is_string()) {
    call->fail({Fault::InvalidParams, "params.requestState must be a string"});
    return false;
  }
  Result<std::string> opened =
      call->services().seal.open(binding, state->get_ref<const std::string &>());
  if (!opened) {
    call->fail(opened.failure());
    return false;
  }
  exchange.requestState = *std::move(opened);
  return true;
}

} // namespace

Json capabilitiesOf(const Call &call) {
  if (call.family() == ProtocolFamily::Legacy)
    return *parseJson(call.session().clientCapabilities.copy());
  const Json *const said = metaOf(call, "io.modelcontextprotocol/clientCapabilities");
  return said != nullptr && said->is_object() ? *said : Json::object();
}

std::optional<Exchange> exchangeOf(const CallPointer &call,
                                   const SignedRequestState::Binding &binding) {
  Exchange exchange;
  const Json capabilities = capabilitiesOf(*call);
  exchange.capabilities = capabilities.dump();
  exchange.mayAsk = call->family() == ProtocolFamily::Legacy && canBeAsked(capabilities) &&
                    call->canSendMessages();
  exchange.mayRequireInput = call->family() == ProtocolFamily::Modern;
  if (exchange.mayRequireInput && !takeInput(call, binding, exchange)) return std::nullopt;
  const Access *const access = call->services().access;
  const Principal *const principal = call->principal().get();
  if (principal != nullptr) {
    exchange.issuer = principal->issuer;
    exchange.subject = principal->subject;
  }
  if (access != nullptr) {
    exchange.mayRead = access->allows(Permission::Read, principal);
    exchange.mayReview = access->permissions().mayReview(principal);
  }
  exchange.mayManage = mayManage(*call);
  exchange.seesAll = call->seesAll();
  exchange.log = [call](LogLevel level, std::string_view logger, std::string_view data) {
    return tellMessage(*call, level, logger, data);
  };
  exchange.ask = [call](std::string_view method, std::string_view params) {
    return askClient(*call, method, params);
  };
  return exchange;
}

} // namespace skillhost
