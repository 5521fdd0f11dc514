// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls.hpp"

#include "admission.hpp"
#include "base/log.hpp"
#include "client_exchange.hpp"
#include "ground/json_text.hpp"
#include "mcp/authorization.hpp"
#include "mcp/services.hpp"
#include "mcp/tool.hpp"
#include "rpc/plugin_result.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t largestResource = 64U << 20U;
constexpr std::size_t largestCompletion = 1U << 20U;

// Returns the members of an object without its braces, as an answer needs them.
std::string membersText(const Json &object) {
  const std::string text = object.dump();
  return text.substr(1, text.size() - 2);
}

// Writes keys in one order, so that a client may send them in another the next time. Recurses at
// most as deep as a message may be.
void appendCanonical(std::string &out, const Json &value) {
  if (!value.is_structured()) {
    out += value.dump();
    return;
  }
  char before = value.is_array() ? '[' : '{';
  const char end = value.is_array() ? ']' : '}';
  if (value.empty()) out += before;
  if (value.is_array()) {
    for (const Json &one : value) {
      out += std::exchange(before, ',');
      appendCanonical(out, one);
    }
  } else {
    std::map<std::string_view, const Json *> members;
    for (auto it = value.begin(); it != value.end(); ++it) members.emplace(it.key(), &*it);
    for (const auto &[name, one] : members) {
      out += std::exchange(before, ',');
      appendJsonString(out, name);
      out += ':';
      appendCanonical(out, *one);
    }
  }
  out += end;
}

std::string canonical(const Json &value) {
  std::string text;
  appendCanonical(text, value);
  return text;
}

SignedRequestState::Binding bindingOf(const Call &call, const PluginTool &pluginTool,
                                      const std::string &target, const Json &arguments) {
  // A state that one caller was given must not be valid for another one at the same address.
  return {pluginTool.provider->name(), call.method(), target, canonical(arguments), clientOf(call)};
}

struct Expected {
  PluginResultKind kind;
  std::string plugin; // name of the instance
  SignedRequestState::Binding binding;
  Caching caching = notCached;
};

void requireInput(const CallPointer &call, const Expected &expected, PluginResult result) {
  if (call->family() == ProtocolFamily::Legacy)
    return call->fail({Fault::Internal, expected.plugin + ": its result needs a newer client"});
  if (!result.missingCapabilities.empty())
    return call->failWith(Fault::InvalidRequest, missingCapability,
                          "Missing required client capability",
                          Json{{"requiredCapabilities", result.missingCapabilities}}.dump());
  if (result.members.contains("requestState"))
    result.members["requestState"] =
        call->services().seal.seal(expected.binding, result.requestState);
  call->requireInput(Fragments(membersText(result.members)), membersText(result.meta));
}

void answerWith(const CallPointer &call, const Expected &expected, const std::string &text) {
  Result<PluginResult> result = readPluginResult(expected.kind, text, capabilitiesOf(*call));
  if (!result) {
    const Failure failure{Fault::Internal, expected.plugin + ": " + result.failure().message};
    log::error("plugin", failure.message);
    if (expected.kind == PluginResultKind::Tool)
      return ToolCall(call, call->params()).fail(failure);
    return call->fail(failure);
  }
  if (expected.kind == PluginResultKind::Tool) shapeToolResult(result->members, call->resultForm());
  result->meta["org.skillhost/durationMs"] = call->elapsed().count();
  if (result->inputRequired) return requireInput(call, expected, *std::move(result));
  // In the modern family the host has members of its own in _meta.
  if (call->family() == ProtocolFamily::Legacy) result->members["_meta"] = result->meta;
  call->result(Fragments(membersText(result->members)), expected.caching,
               membersText(result->meta));
}

void callPermittedTool(const CallPointer &call, const PluginTool &tool, const Json &arguments) {
  Expected expected{PluginResultKind::Tool, tool.provider->name(),
                    bindingOf(*call, tool, tool.key, arguments)};
  auto exchange = exchangeOf(call, expected.binding);
  if (!exchange) return;
  tool.provider->callTool(call->options(), *std::move(exchange), tool.key, arguments.dump(),
                          call->services().settings.limits.responseBytes,
                          [call, expected = std::move(expected)](const Result<std::string> &text) {
                            if (!text) return ToolCall(call, call->params()).fail(text.failure());
                            answerWith(call, expected, *text);
                          });
}

void getPermittedPrompt(const CallPointer &call, const PluginTool &prompt) {
  static const Json none = Json::object();
  const auto given = call->params().find("arguments");
  const Json &arguments = given == call->params().end() || given->is_null() ? none : *given;
  if (!arguments.is_object())
    return call->fail({Fault::InvalidParams, "params.arguments must be an object"});
  for (const auto &[name, value] : arguments.items())
    if (!value.is_string())
      return call->fail(
          {Fault::InvalidParams, "params.arguments." + name.substr(0, 100) + " must be a string"});
  Expected expected{PluginResultKind::Prompt, prompt.provider->name(),
                    bindingOf(*call, prompt, prompt.key, arguments)};
  auto exchange = exchangeOf(call, expected.binding);
  if (!exchange) return;
  prompt.provider->getPrompt(
      call->options(), *std::move(exchange), prompt.key, arguments.dump(),
      call->services().settings.limits.responseBytes,
      [call, expected = std::move(expected)](const Result<std::string> &text) {
        if (text) return answerWith(call, expected, *text);
        // Wrong arguments are an error of the protocol here.
        if (text.failure().fault == Fault::InvalidInput)
          return call->fail({Fault::InvalidParams, text.failure().message});
        call->fail(text.failure());
      });
}

void readPermittedResource(const CallPointer &call, const PluginTool &resource,
                           const std::string &uri) {
  Expected expected{PluginResultKind::Resource, resource.provider->name(),
                    bindingOf(*call, resource, uri, Json::object()), Caching{0}};
  auto exchange = exchangeOf(call, expected.binding);
  if (!exchange) return;
  resource.provider->readResource(
      call->options(), *std::move(exchange), uri, largestResource,
      [call, uri, expected = std::move(expected)](const Result<std::string> &text) {
        if (text) return answerWith(call, expected, *text);
        if (text.failure().fault == Fault::NotFound) return call->failResource(uri);
        call->fail(text.failure());
      });
}

void completePermitted(const CallPointer &call, const PluginTool &pluginTool,
                       const std::string &argument, const std::string &value) {
  CompletionRequest request{pluginTool.key, argument, value, {}};
  if (const auto context = call->params().find("context");
      context != call->params().end() && context->is_object() && context->contains("arguments") &&
      (*context)["arguments"].is_object())
    request.context = (*context)["arguments"].dump();
  pluginTool.provider->complete(
      call->options(), std::move(request), largestCompletion,
      [call, plugin = pluginTool.provider->name()](const Result<std::string> &text) {
        // A plugin does not have to complete anything.
        if (!text && text.failure().fault == Fault::NotImplemented)
          return call->result(Fragments(R"("completion":{"values":[],"hasMore":false})"));
        if (!text) return call->fail(text.failure());
        const Result<Json> read = readPluginCompletion(*text);
        if (!read) return call->fail({Fault::Internal, plugin + ": " + read.failure().message});
        call->result(Fragments(R"("completion":)" + read->dump()));
      });
}

} // namespace

void callPluginTool(const CallPointer &call, const PluginTool &tool, const Json &arguments) {
  permitPluginEntry(call, tool.need, [&] { callPermittedTool(call, tool, arguments); });
}

void getPluginPrompt(const CallPointer &call, const PluginTool &prompt) {
  permitPluginEntry(call, prompt.need, [&] { getPermittedPrompt(call, prompt); });
}

void readPluginResource(const CallPointer &call, const PluginTool &resource,
                        const std::string &uri) {
  permitPluginEntry(call, resource.need, [&] { readPermittedResource(call, resource, uri); });
}

void completeByPlugin(const CallPointer &call, const PluginTool &pluginTool,
                      const std::string &argument, const std::string &value) {
  permitPluginEntry(call, pluginTool.need,
                    [&] { completePermitted(call, pluginTool, argument, value); });
}

} // namespace skillhost
