// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/json.hpp"
#include "otlp_metrics.hpp"
#include "otlp_traces.hpp"

#include <nlohmann/json.hpp>

#include <limits>
#include <string>

using namespace skillhost;
using telemetry::Line;

namespace {

const std::string trace = "0af7651916cd43dd8448eb211c80319c", parent = "b7ad6b7169203331";

Json listOf(const telemetry::Elements &elements) {
  const Json list = Json::parse('[' + elements.text + ']');
  return list;
}

Json attributesOf(const Json &element) {
  Json all = Json::object();
  for (const Json &one : element.at("attributes"))
    all[one.at("key").get<std::string>()] = one.at("value").front();
  return all;
}

Line callWith(const std::string &members, const char *text = "tools/call x: ok") {
  return {2'000'000'000, LogLevel::Info, "mcp", text, R"("call":"a\"1",)" + members, true};
}

Json spanOf(const std::string &members, std::string_view transport = "tcp") {
  const auto out = telemetry::spansAndRecords({callWith(members)}, transport);
  REQUIRE(out.spans.count == 1);
  return listOf(out.spans).at(0);
}

} // namespace

TEST_CASE("a call is a span with the time it took") {
  const Json span = spanOf(R"("method":"tools/call","tool":"t","status":"ok","duration_ms":1.5,)"
                           R"("peer":"[2001:db8::1]:4711")");
  CHECK(span.at("name") == "tools/call t");
  CHECK(span.at("startTimeUnixNano") == "1998500000");
  CHECK(span.at("endTimeUnixNano") == "2000000000");
  CHECK(span.at("traceId").get<std::string>().size() == 32);
  CHECK(span.at("spanId").get<std::string>().size() == 16);
  CHECK_FALSE(span.contains("parentSpanId"));
  CHECK_FALSE(span.contains("status"));
  const Json attributes = attributesOf(span);
  CHECK(attributes.at("jsonrpc.request.id") == "a\"1");
  CHECK(attributes.at("client.address") == "2001:db8::1");
  CHECK(attributes.at("client.port") == "4711");
  CHECK_FALSE(attributes.contains("error.type"));
}

TEST_CASE("a span goes on with the trace of its caller") {
  const std::string members = R"("method":"ping","trace_id":")" + trace +
                              R"(","parent_span_id":")" + parent + R"(","trace_state":"a=1")";
  const Json span = spanOf(members + R"(,"trace_sampled":true)");
  CHECK(span.at("traceId") == trace);
  CHECK(span.at("parentSpanId") == parent);
  CHECK(span.at("traceState") == "a=1");
  CHECK(span.at("flags") == 0x301);
  const auto unwanted =
      telemetry::spansAndRecords({callWith(members + R"(,"trace_sampled":false)")}, "tcp");
  CHECK(unwanted.spans.count == 0);
  CHECK(unwanted.records.count == 1);
}

TEST_CASE("what failed says how") {
  CHECK(attributesOf(spanOf(R"("status":"error","code":"NOT_FOUND")")).at("error.type") ==
        "tool_error");
  const Json refused = spanOf(R"("status":"error","error_code":-32601)");
  CHECK(attributesOf(refused).at("error.type") == "-32601");
  CHECK(refused.at("status").at("code") == 2);
  const Json cancelled = spanOf(R"("status":"cancelled")");
  CHECK(attributesOf(cancelled).at("error.type") == "cancelled");
  CHECK_FALSE(cancelled.contains("status"));
}

TEST_CASE("on stdio and a unix socket there is no port") {
  CHECK(attributesOf(spanOf(R"("method":"ping")", "pipe")).at("network.transport") == "pipe");
  const Json attributes = attributesOf(spanOf(R"("peer":"unix:uid=1000")"));
  CHECK(attributes.at("network.transport") == "unix");
  CHECK_FALSE(attributes.contains("client.port"));
}

TEST_CASE("a line is a record of its level, and of the call it is about") {
  const Line plain{5,   LogLevel::Warning, "skills", "a \"text\"", R"("n":1,"x":0.5,"yes":true)",
                   true};
  Line quiet = callWith(R"("method":"ping")");
  quiet.isLogged = false;
  const auto out =
      telemetry::spansAndRecords({plain, callWith(R"("method":"ping")"), quiet}, "tcp");
  CHECK(out.spans.count == 2);
  REQUIRE(out.records.count == 2);
  const Json records = listOf(out.records);
  CHECK(records.at(0).at("severityText") == "WARN");
  CHECK(records.at(0).at("body").at("stringValue") == "a \"text\"");
  CHECK_FALSE(records.at(0).contains("spanId"));
  const Json attributes = attributesOf(records.at(0));
  CHECK(attributes.at("n") == "1"); // 64-bit numbers are texts
  CHECK(attributes.at("x") == 0.5);
  CHECK(attributes.at("yes") == true);
  CHECK(records.at(1).at("spanId") == listOf(out.spans).at(0).at("spanId"));
}

TEST_CASE("figures are sums, gauges and histograms") {
  metrics::Registry registry;
  registry.counter({"skillhost_uses_total", {{"kind", "a"}}}).add(2);
  registry.counter({"skillhost_uses_total", {{"kind", "b"}}}).add();
  registry.gauge({"skillhost_held_bytes", {}}).set(std::numeric_limits<double>::infinity());
  registry.histogram({"skillhost_request_seconds", {{"method", "ping"}}}).observe(0.003);
  registry.histogram({"skillhost_request_seconds", {{"method", "never"}}});
  const auto out = telemetry::metricElements(registry, 1, 2);
  CHECK(out.count == 4);
  Json byName = Json::object();
  for (const Json &one : listOf(out)) byName[one.at("name").get<std::string>()] = one;
  REQUIRE(byName.size() == 3);
  const Json &uses = byName.at("skillhost_uses_total").at("sum");
  CHECK(uses.at("isMonotonic") == true);
  CHECK(uses.at("aggregationTemporality") == 2);
  REQUIRE(uses.at("dataPoints").size() == 2);
  CHECK(uses.at("dataPoints").at(0).at("asDouble") == 2);
  CHECK(byName.at("skillhost_held_bytes").at("unit") == "By");
  CHECK(byName.at("skillhost_held_bytes").at("gauge").at("dataPoints").at(0).at("asDouble") ==
        "Infinity");
  const Json &took = byName.at("mcp.server.operation.duration").at("histogram").at("dataPoints");
  REQUIRE(took.size() == 1);
  CHECK(attributesOf(took.at(0)).at("mcp.method.name") == "ping");
  CHECK(took.at(0).at("count") == "1");
  CHECK(took.at(0).at("bucketCounts").size() == took.at(0).at("explicitBounds").size() + 1);
}

TEST_CASE("a span that was handed on keeps its id") {
  const std::string own = "00f067aa0ba902b7";
  const std::string members = R"("method":"tools/call","trace_id":")" + trace + R"(","span_id":")" +
                              own + R"(","status":"ok","duration_ms":1)";
  const auto out = telemetry::spansAndRecords({callWith(members)}, "tcp");
  const Json span = listOf(out.spans).at(0), record = listOf(out.records).at(0);
  CHECK(span.at("traceId") == trace);
  CHECK(span.at("spanId") == own);
  CHECK_FALSE(span.contains("parentSpanId"));
  CHECK(record.at("spanId") == own);
  CHECK_FALSE(attributesOf(record).contains("span_id"));
  // An invalid id would make a collector reject the whole request.
  CHECK(
      spanOf(R"("trace_id":")" + trace + R"(","span_id":"***")").at("spanId").get<std::string>() !=
      "***");
}
