// SPDX-License-Identifier: Apache-2.0
#include "mirrored_tool_fields.hpp"

#include "access/access.hpp"
#include "mcp/plugin_tools_view.hpp"
#include "mcp/services.hpp"
#include "rpc/mirrored_fields.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace skillhost {

std::optional<HttpRefusal> findMirrorMismatch(const Services &services, const HttpRequest &request,
                                              const Message &message, const HttpReplyForm &form) {
  if (form.family != ProtocolFamily::Modern || message.method != "tools/call") return std::nullopt;
  const auto name = message.params.find("name");
  const auto arguments = message.params.find("arguments");
  if (name == message.params.end() || !name->is_string()) return std::nullopt;
  const Access *const access = services.access;
  const auto key =
      access == nullptr ? Visibility::Key{} : access->visibility().keyOf(form.principal.get());
  const auto pluginTools = seenPluginTools(key, services.pluginTools.current());
  const PluginTool *const tool = pluginTools->tool(name->get_ref<const std::string &>());
  if (tool == nullptr || tool->mirrored.empty()) return std::nullopt;
  static const Json none = Json::object();
  return findMirrorMismatch(request, arguments == message.params.end() ? none : *arguments,
                            tool->mirrored);
}

} // namespace skillhost
