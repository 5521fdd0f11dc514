// SPDX-License-Identifier: Apache-2.0
#include "call_figures.hpp"

#include "base/fault.hpp"
#include "call.hpp"
#include "methods.hpp"
#include "services.hpp"
#include "tool.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace skillhost {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

// Among all tools; their number for a skill that is a tool, `none` when the call is none of a tool.
std::size_t toolOf(const Call &call) {
  if (call.method() != "tools/call") return none;
  const auto name = call.params().find("name");
  if (name == call.params().end() || !name->is_string()) return none;
  const auto tools = allTools();
  const auto found = std::find_if(tools.begin(), tools.end(), [&](const Tool *tool) {
    return tool->name == name->get_ref<const std::string &>();
  });
  return static_cast<std::size_t>(found - tools.begin());
}

std::string_view toolName(std::size_t tool) {
  return tool < allTools().size() ? allTools()[tool]->name : "skill";
}

// The name of the tool of a plugin that is called; empty when it is none of those.
std::string offeredTool(const Call &call, std::size_t tool) {
  if (tool != allTools().size()) return {};
  const auto offers = call.offers();
  const Offer *const offer =
      offers->tool(call.params().find("name")->get_ref<const std::string &>());
  return offer == nullptr ? std::string() : offer->key;
}

metrics::Histogram &times(metrics::Registry &registry, const char *series, const char *label,
                          std::string_view value) {
  return registry.histogram({series, {{label, std::string(value)}}});
}

} // namespace

CallFigures::CallFigures(metrics::Registry &registry)
    : registry_(registry),
      otherMethod_(times(registry, "skillhost_request_seconds", "method", "other")) {
  for (const std::string_view method : methods::names())
    methods_.emplace(method, &times(registry, "skillhost_request_seconds", "method", method));
  for (std::size_t tool = 0; tool <= allTools().size(); ++tool)
    tools_.push_back(&times(registry, "skillhost_tool_seconds", "tool", toolName(tool)));
}

void CallFigures::finished(const Call &call) {
  const std::chrono::nanoseconds age = call.age();
  const auto method = methods_.find(call.method());
  (method == methods_.end() ? otherMethod_ : *method->second).observe(age);
  const std::size_t tool = toolOf(call);
  if (tool == none) return;
  if (const std::string offered = offeredTool(call, tool); !offered.empty())
    return times(registry_, "skillhost_tool_seconds", "tool", offered).observe(age);
  tools_[tool]->observe(age);
}

void CallFigures::failed(const Call &call, Fault fault) {
  const std::size_t tool = toolOf(call);
  if (tool == none) return;
  std::string name = offeredTool(call, tool);
  if (name.empty()) name = toolName(tool);
  registry_
      .counter({"skillhost_tool_failures_total",
                {{"tool", std::move(name)}, {"code", std::string(describe(fault).code)}}})
      .add();
}

} // namespace skillhost
