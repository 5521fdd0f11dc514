// SPDX-License-Identifier: Apache-2.0
#include "call_members.hpp"

#include "base/log_members.hpp"
#include "ground/json_member.hpp"
#include "ground/utf8.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "rpc/known_clients.hpp"
#include "rpc/protocol_family.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

using log::appendMember;

constexpr const char *revisionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::size_t longestWord = 200; // bytes of a name that a client has sent

// Returns a text of an object; empty if there is none.
std::string_view wordIn(const Json &object, const char *name) {
  return cutUtf8(memberText(object, name), longestWord);
}

// Adds the tool, skill, prompt or resource that is asked for.
void appendSubject(std::string &members, const Call &call) {
  const Json &params = call.params();
  const std::string_view name = wordIn(params, "name");
  if (call.method() == "tools/call") {
    appendMember(members, "tool", name);
    const bool isSkill =
        call.services().tools.find(name) == nullptr && call.pluginTools()->tool(name) == nullptr;
    appendMember(members, "skill",
                 isSkill ? name : wordIn(memberOf(params, "arguments"), "skill_name"));
  } else if (call.method() == "call_tool") {
    appendMember(members, "skill", name);
  } else if (call.method() == "prompts/get") {
    appendMember(members, "prompt", name);
  }
  appendMember(members, "resource", wordIn(params, "uri"));
}

void appendAsker(std::string &members, const Call &call) {
  if (const PrincipalPointer &principal = call.principal()) {
    appendMember(members, "principal", cutUtf8(principal->subject, longestWord));
    appendMember(members, "issuer", cutUtf8(principal->issuer, longestWord));
  }
  appendMember(members, "client", clientNameOf(call));
  appendMember(members, "peer", call.requestOrigin().peer);
  appendMember(members, "request_id", call.requestOrigin().requestId);
}

// A text is masked like any other one; a number stays a number.
void appendId(std::string &members, const std::string &id) {
  const Json parsed = Json::parse(id, nullptr, false);
  if (parsed.is_string() && !parsed.get_ref<const std::string &>().empty())
    appendMember(members, "call", parsed.get_ref<const std::string &>());
  else
    members += R"("call":)" + id;
}

void appendTrace(std::string &members, const Call &call) {
  const CallTrace &trace = call.trace();
  appendMember(members, "trace_id", trace.client ? trace.client->traceId : trace.traceId);
  appendMember(members, "span_id", trace.spanId);
  if (!trace.client) return;
  appendMember(members, "parent_span_id", trace.client->parentId);
  members += R"(,"trace_sampled":)";
  members += trace.client->sampled ? "true" : "false";
  appendMember(members, "trace_state", trace.state);
}

std::string_view statusOf(const CallEnd &end) {
  if (!end.isAnswered) return "cancelled";
  return end.errorCode != 0 || !end.code.empty() ? "error" : "ok";
}

} // namespace

std::string clientNameOf(const Call &call) {
  const std::string_view said = clientName(memberOf(call.params(), "_meta"), clientInfoKey);
  if (!said.empty()) return std::string(cutUtf8(said, longestWord));
  return call.session().clientName.copy();
}

std::string millisecondsText(std::chrono::nanoseconds span) {
  const auto all = std::chrono::duration_cast<std::chrono::microseconds>(span).count();
  const std::string fraction = std::to_string(1000 + all % 1000);
  return std::to_string(all / 1000) + '.' + fraction.substr(1);
}

std::string callMembers(const Call &call, const CallEnd &end) {
  std::string members;
  appendId(members, call.id());
  appendMember(members, "method", cutUtf8(call.method(), longestWord));
  appendMember(members, "revision", wordIn(memberOf(call.params(), "_meta"), revisionKey));
  appendSubject(members, call);
  appendAsker(members, call);
  appendMember(members, "status", statusOf(end));
  appendMember(members, "code", end.code);
  if (end.errorCode != 0) members += R"(,"error_code":)" + std::to_string(end.errorCode);
  members += R"(,"duration_ms":)" + millisecondsText(end.took);
  appendTrace(members, call);
  return members;
}

} // namespace skillhost
