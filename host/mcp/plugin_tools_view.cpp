// SPDX-License-Identifier: Apache-2.0
#include "mcp/plugin_tools_view.hpp"

#include <set>
#include <string>

namespace skillhost {

PluginToolSetPointer seenPluginTools(const Visibility::Key &key,
                                     const PluginToolSetPointer &whole) {
  if (Visibility::seesAll(key)) return whole;
  std::set<std::string> seen, hidden;
  for (const auto *const list :
       {&whole->tools(), &whole->prompts(), &whole->resources(), &whole->templates()})
    for (const PluginTool &pluginTool : *list) {
      const std::string &name = pluginTool.provider->name();
      if (seen.contains(name) || hidden.contains(name)) continue;
      (Visibility::sees(key, name) ? seen : hidden).insert(name);
    }
  return hidden.empty() ? whole : std::make_shared<const PluginToolSet>(*whole, hidden);
}

} // namespace skillhost
