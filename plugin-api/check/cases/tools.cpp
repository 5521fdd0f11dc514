// SPDX-License-Identifier: Apache-2.0
// tools: the list must follow tools.h and be the same twice. A call must return a result or say why
// not. A tool that was not listed must be refused.
#include "cases.hpp"
#include "tools_calls.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace skillhost::check {
namespace {

constexpr std::size_t maxDepth = 32;

Json listed(const std::string &text) {
  Result<Json> read = parseJson(text, {maxDepth});
  if (!read) fail("list() gives no JSON: " + read.failure().message);
  if (!read->is_object())
    fail("list() gives no JSON object", R"({"tools":[…],"prompts":[…],"resources":[…]})");
  return *std::move(read);
}

// Returns the number of entries. Each must have its key, which must be unique.
std::size_t checkEntries(const Json &offers, const char *list, const char *key) {
  const auto found = offers.find(list);
  if (found == offers.end()) return 0;
  if (!found->is_array()) fail(std::string("list(): ") + list + " is no array");
  std::set<std::string> seen;
  for (const Json &entry : *found) {
    if (!entry.is_object() || !entry.contains(key) || !entry[key].is_string())
      fail(std::string("list(): an entry of ") + list + " has no " + key);
    if (!seen.insert(entry[key].get<std::string>()).second)
      fail(std::string("list(): ") + list + " has " + entry[key].get<std::string>() + " twice");
  }
  return found->size();
}

void checkSchemas(const Json &offers) {
  const auto tools = offers.find("tools");
  if (tools == offers.end()) return;
  for (const Json &tool : *tools) {
    const std::string name = tool["name"].get<std::string>();
    const auto schema = tool.find("inputSchema");
    if (schema == tool.end() || !schema->is_object() || schema->value("type", Json()) != "object")
      fail("list(): the inputSchema of " + name + " is no JSON Schema of an object",
           R"({"type": "object"} when it takes nothing)");
    if (!tool.contains("description"))
      throw Ending{Verdict::Warning, "list(): " + name + " has no description",
                   "it is all that a model knows of the tool", false};
  }
}

void checkResult(const ToolAnswer &answer, const std::string &what, const StandInCall &call) {
  if (answer.status != SKH_OK) {
    if (call.message().empty())
      fail(what + " returns " + statusName(answer.status) + " without a word",
           "say why with fail(): the model reads it");
    return;
  }
  const Result<Json> read = parseJson(answer.text, {maxDepth});
  if (!read) fail(what + " gives no JSON: " + read.failure().message);
  const bool asks = read->is_object() && read->value("resultType", "") == "input_required";
  if (asks)
    fail(what + " requires input of a client that cannot be asked",
         "only under SKH_MAY_REQUIRE_INPUT");
  if (!read->is_object() || !(read->contains("content") || read->contains("structuredContent")))
    fail(what + " gives no CallToolResult", R"({"content": [{"type": "text", "text": "…"}]})");
}

void checkInstance(Probe &probe, Instance &instance) {
  const std::string text = listTools(probe, instance);
  const Json offers = listed(text);
  const std::size_t all = checkEntries(offers, "tools", "name") +
                          checkEntries(offers, "prompts", "name") +
                          checkEntries(offers, "resources", "uri") +
                          checkEntries(offers, "resourceTemplates", "uriTemplate");
  if (all == 0) probe.warn("list() gives nothing", "so nobody sees that the plugin is there");
  if (listTools(probe, instance) != text)
    fail("list() gives something else the second time, without changed()");
  checkSchemas(offers);
  const StandInCall unknown(patience());
  probe.step("call_tool() of a tool that was not listed");
  if (callTool(instance, unknown, "no-such-tool", "{}").status == SKH_OK)
    fail("call_tool() of a tool that was never listed succeeds", "return SKH_NOT_FOUND");
  const std::string name = firstTool(text);
  if (name.empty()) return;
  const StandInCall call(patience());
  probe.step("call_tool() of " + name + " without arguments");
  checkResult(callTool(instance, call, name, "{}"), "call_tool() of " + name, call);
}

} // namespace

void checkTools(Probe &probe) {
  eachInstance(probe, toolsKind, [&](Instance &instance) { checkInstance(probe, instance); });
  probe.note("lists, schemas and results are as MCP wants them; an unknown tool is refused");
}

} // namespace skillhost::check
