// SPDX-License-Identifier: Apache-2.0
#include "mcp/call_metrics.hpp"

#include "base/fault.hpp"
#include "ground/json_member.hpp"
#include "mcp/call.hpp"
#include "mcp/services.hpp"
#include "mcp/tool.hpp"
#include "methods.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace skillhost {
namespace {

constexpr std::size_t noTool = static_cast<std::size_t>(-1);

// Returns the index among the server's tools; their number for a skill that is a tool, and for a
// tool of a plugin; `noTool` if the call is not for a tool.
std::size_t toolOf(const Call &call) {
  if (call.method() != "tools/call") return noTool;
  const Json &name = memberOf(call.params(), "name");
  if (!name.is_string()) return noTool;
  const std::string_view called = name.get_ref<const std::string &>();
  const auto tools = call.services().tools.all();
  const auto found = std::find_if(tools.begin(), tools.end(),
                                  [&](const Tool *tool) { return tool->name == called; });
  return static_cast<std::size_t>(found - tools.begin());
}

std::string_view toolName(const OwnTools &tools, std::size_t tool) {
  return tool < tools.all().size() ? tools.all()[tool]->name : "skill";
}

// Returns the name of the called tool of a plugin; empty if it is none.
std::string pluginToolOf(const Call &call, std::size_t tool) {
  if (tool != call.services().tools.all().size()) return {};
  const auto pluginTools = call.pluginTools();
  const PluginTool *const pluginTool =
      pluginTools->tool(call.params().find("name")->get_ref<const std::string &>());
  return pluginTool == nullptr ? std::string() : pluginTool->key;
}

metrics::Histogram &times(metrics::Registry &registry, const char *series, const char *label,
                          std::string_view value) {
  return registry.histogram({series, {{label, std::string(value)}}});
}

metrics::Counter &searches(metrics::Registry &registry, const char *outcome) {
  return registry.counter({"skillhost_searches_total", {{"outcome", outcome}}});
}

} // namespace

CallMetrics::CallMetrics(const OwnTools &tools, metrics::Registry &registry)
    : registry_(registry),
      otherMethod_(times(registry, "skillhost_request_seconds", "method", "other")),
      searches_{&searches(registry, "found"), &searches(registry, "none"),
                &searches(registry, "failed")} {
  for (const std::string_view method : methods::names())
    methods_.emplace(method, &times(registry, "skillhost_request_seconds", "method", method));
  for (std::size_t tool = 0; tool <= tools.all().size(); ++tool)
    tools_.push_back(&times(registry, "skillhost_tool_seconds", "tool", toolName(tools, tool)));
}

void CallMetrics::onCallFinished(const Call &call) {
  const std::chrono::nanoseconds age = call.age();
  const auto method = methods_.find(call.method());
  (method == methods_.end() ? otherMethod_ : *method->second).observe(age);
  const std::size_t tool = toolOf(call);
  if (tool == noTool) return;
  if (const std::string fromPlugin = pluginToolOf(call, tool); !fromPlugin.empty())
    return times(registry_, "skillhost_tool_seconds", "tool", fromPlugin).observe(age);
  tools_[tool]->observe(age);
}

void CallMetrics::onToolFailed(const Call &call, Fault fault) {
  const std::size_t tool = toolOf(call);
  if (tool == noTool) return;
  std::string name = pluginToolOf(call, tool);
  if (name.empty()) name = toolName(call.services().tools, tool);
  registry_
      .counter({"skillhost_tool_failures_total",
                {{"tool", std::move(name)}, {"code", std::string(describe(fault).code)}}})
      .add();
}

void CallMetrics::onSearch(Search outcome) { searches_[static_cast<std::size_t>(outcome)]->add(); }

} // namespace skillhost
