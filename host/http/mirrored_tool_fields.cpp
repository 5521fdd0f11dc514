// SPDX-License-Identifier: Apache-2.0
#include "mirrored_tool_fields.hpp"

#include "access/access.hpp"
#include "ground/json_member.hpp"
#include "mcp/plugin_tools_view.hpp"
#include "mcp/services.hpp"
#include "rpc/mirrored_fields.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace skillhost {

std::optional<HttpRefusal> findMirrorMismatch(const Services &services, const HttpRequest &request,
                                              const Message &message, const HttpReplyForm &form) {
  if (form.family != ProtocolFamily::Modern || message.method != "tools/call" ||
      !services.settings.toolPlugins)
    return std::nullopt;
  const Json &name = memberOf(message.params, "name");
  if (!name.is_string()) return std::nullopt;
  // No tool of the server itself mirrors arguments, and no plugin can take its name.
  if (services.tools.find(name.get_ref<const std::string &>()) != nullptr) return std::nullopt;
  const Access *const access = services.access;
  const auto key =
      access == nullptr ? Visibility::Key{} : access->visibility().keyOf(form.principal.get());
  const auto pluginTools = seenPluginTools(key, services.pluginTools.current());
  const PluginTool *const tool = pluginTools->tool(name.get_ref<const std::string &>());
  if (tool == nullptr || tool->mirrored.empty()) return std::nullopt;
  static const Json none = Json::object();
  const Json *const arguments = findMember(message.params, "arguments");
  return findMirrorMismatch(request, arguments == nullptr ? none : *arguments, tool->mirrored);
}

} // namespace skillhost
