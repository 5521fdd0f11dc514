// SPDX-License-Identifier: Apache-2.0
#include "otlp_traces.hpp"

#include "ground/json_member.hpp"
#include "ground/json_text.hpp"
#include "ground/random.hpp"
#include "otlp_text.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace skillhost::telemetry {
namespace {

struct SeverityOfLevel {
  int number;
  const char *text;
};
constexpr SeverityOfLevel severities[] = {{5, "DEBUG"}, {9, "INFO"}, {13, "WARN"}, {17, "ERROR"}};

std::string textIn(const Json &members, const char *name) {
  const Json &value = memberOf(members, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

// The trace and the span to which a line of the log belongs, as hexadecimal digits.
struct TraceIds {
  std::string traceId, spanId;
  std::string parentId; // span of the client; empty: the trace began here
};

// Returns the id in the member `name`; empty if it is invalid, for example masked. A collector
// would reject the whole request because of an invalid id.
std::string idIn(const Json &members, const char *name, std::size_t digits) {
  std::string id = textIn(members, name);
  const bool isId =
      id.size() == digits && id.find_first_not_of("0123456789abcdef") == std::string::npos;
  return isId ? id : std::string();
}

// Makes new ids for a line that has none.
TraceIds traceIdsOf(const Json &members) {
  TraceIds ids{idIn(members, "trace_id", 32), idIn(members, "span_id", 16),
               idIn(members, "parent_span_id", 16)};
  if (ids.spanId.empty()) ids.spanId = randomHex(8);
  if (ids.traceId.empty()) ids.traceId = randomHex(16);
  return ids;
}

bool hasCallMember(const Json &members) { return members.contains("call"); }

void append(Elements &to, std::string_view element) {
  if (to.count++ != 0) to.text += ',';
  to.text += element;
}

// `peer` is "192.0.2.1:4711", "[2001:db8::1]:4711", "unix:…", or empty for stdio.
void addNetwork(Attributes &attributes, std::string_view peer, std::string_view transport) {
  const bool isUnix = peer.starts_with("unix:");
  attributes.add("network.transport", isUnix ? "unix" : transport);
  if (transport == "tcp") attributes.add("network.protocol.name", "http");
  const std::size_t colon = peer.rfind(':');
  std::string_view address = peer.substr(0, colon);
  std::int64_t port = 0;
  if (isUnix || colon == std::string_view::npos) return attributes.add("client.address", peer);
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  attributes.add("client.address", address);
  const std::string digits(peer.substr(colon + 1));
  if (std::from_chars(digits.data(), digits.data() + digits.size(), port).ec == std::errc{})
    attributes.add("client.port", port);
}

// Returns the attribute error.type of the semantic conventions for MCP; empty if nothing failed.
std::string errorType(const Json &members) {
  if (!textIn(members, "code").empty()) return "tool_error"; // for every code
  const Json &code = memberOf(members, "error_code");
  if (code.is_number_integer()) return std::to_string(code.get<std::int64_t>());
  return textIn(members, "status") == "cancelled" ? "cancelled" : std::string();
}

std::string attributesOfCall(const Json &members, std::string_view transport) {
  Attributes attributes;
  const std::string tool = textIn(members, "tool");
  attributes.add("mcp.method.name", textIn(members, "method"));
  attributes.add("gen_ai.tool.name", tool);
  attributes.add("gen_ai.operation.name", tool.empty() ? "" : "execute_tool");
  attributes.add("gen_ai.prompt.name", textIn(members, "prompt"));
  attributes.add("mcp.resource.uri", textIn(members, "resource"));
  const Json &id = memberOf(members, "call");
  attributes.add("jsonrpc.request.id", id.is_string() ? id.get<std::string>() : id.dump());
  attributes.add("mcp.protocol.version", textIn(members, "revision"));
  attributes.add("error.type", errorType(members));
  attributes.add("skillhost.error.code", textIn(members, "code"));
  if (const Json &code = memberOf(members, "error_code"); code.is_number_integer())
    attributes.add("rpc.response.status_code", std::to_string(code.get<std::int64_t>()));
  addNetwork(attributes, textIn(members, "peer"), transport);
  attributes.add("user.id", textIn(members, "principal"));
  attributes.add("skillhost.skill.name", textIn(members, "skill"));
  attributes.add("skillhost.client.name", textIn(members, "client"));
  attributes.add("skillhost.request.id", textIn(members, "request_id"));
  return attributes.list();
}

std::string spanName(const Json &members) {
  std::string name = textIn(members, "method");
  for (const char *const target : {"tool", "prompt"})
    if (const std::string text = textIn(members, target); !text.empty()) return name + ' ' + text;
  return name;
}

std::string spanOf(const Line &line, const Json &members, const TraceIds &ids,
                   std::string_view transport) {
  constexpr const char *server = "2"; // SPAN_KIND_SERVER
  // Bits of Span.flags: 0x001 sampled, 0x100 it is known whether the parent is remote, 0x200 the
  // parent is remote.
  constexpr const char *localParentFlags = "257";  // 0x101
  constexpr const char *remoteParentFlags = "769"; // 0x301
  const Json &took = memberOf(members, "duration_ms");
  const double milliseconds = took.is_number() ? took.get<double>() : 0;
  const std::int64_t begun = line.endedAt - std::llround(milliseconds * 1e6);
  std::string out = R"({"traceId":")" + ids.traceId + R"(","spanId":")" + ids.spanId + '"';
  if (!ids.parentId.empty()) out += R"(,"parentSpanId":")" + ids.parentId + '"';
  if (const std::string state = textIn(members, "trace_state"); !state.empty()) {
    out += R"(,"traceState":)";
    appendJsonString(out, state);
  }
  out +=
      std::string(R"(,"flags":)") + (ids.parentId.empty() ? localParentFlags : remoteParentFlags);
  out += R"(,"name":)";
  appendJsonString(out, spanName(members));
  out += std::string(R"(,"kind":)") + server;
  out += R"(,"startTimeUnixNano":")" + std::to_string(begun) + R"(","endTimeUnixNano":")" +
         std::to_string(line.endedAt) + R"(","attributes":)" + attributesOfCall(members, transport);
  if (textIn(members, "status") == "error") {
    out += R"(,"status":{"code":2,"message":)";
    appendJsonString(out, line.text);
    out += '}';
  }
  return out + '}';
}

std::string recordOf(const Line &line, const Json &members, const TraceIds &ids) {
  const SeverityOfLevel &severity = severities[static_cast<std::size_t>(line.level)];
  const std::string time = std::to_string(line.endedAt);
  Attributes attributes;
  attributes.add("skillhost.part", line.part);
  for (const auto &[name, value] : members.items())
    if (name != "trace_id" && name != "span_id" && name != "parent_span_id")
      attributes.addJson(name, value);
  std::string out = R"({"timeUnixNano":")" + time + R"(","observedTimeUnixNano":")" + time +
                    R"(","severityNumber":)" + std::to_string(severity.number) +
                    R"(,"severityText":")" + severity.text + R"(","body":{"stringValue":)";
  appendJsonString(out, line.text);
  out += R"(},"attributes":)" + attributes.list();
  if (hasCallMember(members))
    out += R"(,"traceId":")" + ids.traceId + R"(","spanId":")" + ids.spanId + '"';
  return out + '}';
}

} // namespace

bool isAboutCall(std::string_view members) { return members.starts_with(R"("call":)"); }

SpansAndRecords spansAndRecords(const std::vector<Line> &lines, std::string_view transport) {
  SpansAndRecords out;
  for (const Line &line : lines) {
    Json members = Json::parse('{' + line.members + '}', nullptr, false);
    if (!members.is_object()) members = Json::object();
    const TraceIds ids = traceIdsOf(members);
    const bool isUnwanted = memberOf(members, "trace_sampled") == false;
    if (hasCallMember(members) && !isUnwanted)
      append(out.spans, spanOf(line, members, ids, transport));
    if (line.isLogged) append(out.records, recordOf(line, members, ids));
  }
  return out;
}

} // namespace skillhost::telemetry
