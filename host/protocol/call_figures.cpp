// SPDX-License-Identifier: Apache-2.0
#include "call_figures.hpp"

#include "call.hpp"
#include "methods.hpp"
#include "tool.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

constexpr std::string_view otherMethod = "other", skillTool = "skill";

// The tool's name among those that are counted; empty when the call is none of a tool.
std::string_view toolOf(const Call &call) {
  if (call.method() != "tools/call") return {};
  const auto name = call.params().find("name");
  if (name == call.params().end() || !name->is_string()) return {};
  const Tool *const tool = findTool(name->get_ref<const std::string &>());
  return tool == nullptr ? skillTool : tool->name;
}

} // namespace

CallFigures::CallFigures(metrics::Registry &registry) : registry_(registry) {
  constexpr const char *requests = "skillhost_request_seconds", *tools = "skillhost_tool_seconds";
  for (const std::string_view method : methods::names()) add(methods_, requests, "method", method);
  add(methods_, requests, "method", otherMethod);
  for (const Tool *const tool : allTools()) add(tools_, tools, "tool", tool->name);
  add(tools_, tools, "tool", skillTool);
}

void CallFigures::add(Histograms &to, const char *series, const char *label,
                      std::string_view value) {
  to.emplace(value, &registry_.histogram({series, {{label, std::string(value)}}}));
}

void CallFigures::finished(const Call &call) {
  const std::chrono::nanoseconds age = call.age();
  const auto method = methods_.find(call.method());
  (method == methods_.end() ? methods_.find(otherMethod) : method)->second->observe(age);
  if (const auto tool = tools_.find(toolOf(call)); tool != tools_.end()) tool->second->observe(age);
}

void CallFigures::failed(const Call &call, Fault fault) {
  const std::string_view tool = toolOf(call);
  if (tool.empty()) return;
  registry_
      .counter({"skillhost_tool_failures_total",
                {{"tool", std::string(tool)}, {"code", std::string(describe(fault).code)}}})
      .add();
}

} // namespace skillhost
