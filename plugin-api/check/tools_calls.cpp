// SPDX-License-Identifier: Apache-2.0
#include "tools_calls.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

namespace skillhost::check {
namespace {

skh_status log(const skh_exchange *, int32_t, skh_str, skh_str) noexcept { return SKH_OK; }
skh_status ask(const skh_exchange *, skh_str, skh_str, const skh_bytes *) noexcept {
  return SKH_UNSUPPORTED;
}

} // namespace

std::string listTools(Probe &probe, const Instance &instance) {
  probe.step("list()");
  const StandInCall call = patientCall(instance);
  ByteSink sink(maxResultBytes);
  const skh_status status =
      instance.operations<skh_tools>().list(instance.self, call.raw(), sink.raw());
  if (status != SKH_OK) fail("list() returns " + statusName(status) + inBrackets(call.message()));
  return sink.bytes;
}

ToolAnswer callTool(const Instance &instance, const StandInCall &call, std::string_view name,
                    std::string_view arguments) {
  const Placed<skh_exchange> exchange({sizeof(skh_exchange),
                                       0,
                                       borrow("{}"),
                                       {},
                                       {},
                                       &log,
                                       &ask,
                                       {},
                                       {},
                                       SKH_CALLER_READS | SKH_CALLER_MANAGES | SKH_CALLER_SEES_ALL,
                                       0},
                                      nullptr);
  ByteSink sink(maxResultBytes);
  const skh_status status = instance.operations<skh_tools>().call_tool(
      instance.self, call.raw(), exchange.get(), borrow(name), borrow(arguments), sink.raw());
  return {status, std::move(sink.bytes)};
}

std::string firstTool(std::string_view offers) {
  const Result<Json> read = parseJson(offers);
  if (!read || !read->is_object() || !read->contains("tools")) return {};
  const Json &tools = (*read)["tools"];
  if (!tools.is_array() || tools.empty() || !tools[0].is_object()) return {};
  return tools[0].value("name", "");
}

} // namespace skillhost::check
