// SPDX-License-Identifier: Apache-2.0
#include "mcp/services.hpp"
#include "mcp/tool.hpp"
#include "statistics.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

void runGetServerStats(const ToolCall &tool) {
  const Arguments arguments(tool.arguments(), {});
  if (!arguments.good()) return tool.fail(arguments.failure());
  const Json data = serverStatistics(*tool.call());
  tool.succeed(toolResult(data, data.dump(2)));
}

} // namespace

constexpr Tool statisticsTool{
    "get_server_stats",
    "Server statistics",
    "Tell the operator's figures of this server: requests, tools and their latencies, cache, "
    "limits, catalogue, "
    "sources, plugins, search, process.",
    ToolCategory::Query,
    Permission::Manage,
    true,
    R"({"type":"object","properties":{},"additionalProperties":false})",
    R"({"type":"object","properties":{"version":{"type":"string"},"uptime_s":{"type":"integer","minimum":0},"requests":{"type":"integer","minimum":0},"methods":{"type":"object","description":"By method: how many calls have ended.","additionalProperties":{"type":"integer"}},"tools":{"type":"object","description":"By tool; times in milliseconds, quantiles within fixed buckets.","additionalProperties":{"type":"object","properties":{"count":{"type":"integer"},"failures":{"type":"object","additionalProperties":{"type":"integer"}},"p50_ms":{"type":"number"},"p95_ms":{"type":"number"},"p99_ms":{"type":"number"},"max_ms":{"type":"number"}},"required":["count","failures"]}},"cache":{"type":"object","properties":{"entryCount":{"type":"integer"},"currentSizeBytes":{"type":"integer"},"maxSizeBytes":{"type":"integer"},"hitCount":{"type":"integer"},"missCount":{"type":"integer"},"hitRate":{"type":"number","minimum":0,"maximum":1},"evictionCount":{"type":"integer"},"expirationCount":{"type":"integer"},"lastCleanupAt":{"type":"integer","description":"Milliseconds since 1970."},"pressureLevel":{"enum":["low","medium","high","critical"]}},"required":["entryCount","currentSizeBytes","maxSizeBytes","hitCount","missCount","hitRate","evictionCount","pressureLevel"]},"limits":{"type":"object"},"rate_limit":{"type":"object"},"catalogue":{"type":"object"},"sources":{"type":"array","items":{"type":"object"}},"plugins":{"type":"array","items":{"type":"object","properties":{"instance":{"type":"string"},"id":{"type":"string"},"version":{"type":"string"},"state":{"type":"string"},"reason":{"type":"string"}}}},"search":{"type":"object"},"process":{"type":"object","properties":{"resident_bytes":{"type":"integer"},"descriptors":{"type":"integer"},"threads":{"type":"integer"}}}},"required":["version","uptime_s","methods","limits","rate_limit","catalogue","sources","plugins","process"]})",
    &runGetServerStats};

} // namespace skillhost
