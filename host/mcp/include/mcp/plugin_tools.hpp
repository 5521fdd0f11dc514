// SPDX-License-Identifier: Apache-2.0
// The offers of all plugins besides the skills, as one set that does not change while it is read.
#pragma once

#include "mcp/plugin_tool_lists.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

class OwnTools;

// Immutable. The lists are in the order of the configuration, then in that of the plugins.
class PluginToolSet {
public:
  PluginToolSet() = default;
  // Withholds an entry whose key is taken already: by a tool of the host, whose names are `taken`,
  // or by an earlier plugin. withheld() then lists it.
  PluginToolSet(std::uint64_t generation, const std::vector<PluginToolLists> &all,
                const std::set<std::string> &taken);
  // Copies `whole` without the offers of these instances. The names that they have taken stay
  // taken.
  PluginToolSet(const PluginToolSet &whole, const std::set<std::string> &hidden);
  // Not movable: the indexes point into the lists.
  PluginToolSet(const PluginToolSet &) = delete;
  PluginToolSet &operator=(const PluginToolSet &) = delete;

  std::uint64_t generation() const noexcept { return generation_; } // 0: there are no plugins
  // Distinguishes it from other views of the same generation; empty: nothing is hidden.
  const std::string &hidden() const noexcept { return hidden_; }
  const std::vector<PluginTool> &tools() const noexcept { return tools_; }
  const std::vector<PluginTool> &prompts() const noexcept { return prompts_; }
  const std::vector<PluginTool> &resources() const noexcept { return resources_; }
  const std::vector<PluginTool> &templates() const noexcept { return templates_; }
  // These return null if there is no such entry.
  const PluginTool *tool(std::string_view name) const { return find(tools_, name); }
  const PluginTool *prompt(std::string_view name) const { return find(prompts_, name); }
  const PluginTool *uriTemplate(std::string_view text) const { return find(templates_, text); }
  // Returns the resource, or the first template that the URI fits; null if there is none.
  const PluginTool *resource(std::string_view uri) const;
  // Returns the withheld entries of each provider, in the order of the providers.
  const std::vector<std::vector<std::string>> &withheld() const noexcept { return withheld_; }

private:
  static const PluginTool *find(const std::vector<PluginTool> &pluginTools, std::string_view key);
  std::uint64_t generation_ = 0;
  std::string hidden_; // names of instances
  std::vector<PluginTool> tools_, prompts_, resources_, templates_;
  std::vector<std::vector<std::string>> withheld_;
};

using PluginToolSetPointer = std::shared_ptr<const PluginToolSet>;

struct PluginToolsChanged {
  bool tools = false, prompts = false, resources = false;
  bool any() const noexcept { return tools || prompts || resources; }
  friend bool operator==(const PluginToolsChanged &, const PluginToolsChanged &) = default;
};
PluginToolsChanged difference(const PluginToolSet &now, const PluginToolSet &before);

// Any thread.
class PluginTools {
public:
  // If attach() will be called (`expected`), this is not ready until then, and until every plugin
  // has given its list or failed to. No plugin can take the name of one of `ownTools`.
  PluginTools(bool expected, const OwnTools &ownTools);

  using Tell =
      std::function<void(const PluginToolSetPointer &now, const PluginToolSetPointer &before)>;
  // Lists all plugins, and lists each again whenever it reports a change. `tell` is called if the
  // offers then differ; for the first lists, before this is ready(). Call it once.
  void attach(std::vector<std::shared_ptr<ToolProvider>> providers,
              std::chrono::milliseconds within, Tell tell);
  // Releases the plugins. Nothing is offered any more.
  void end();

  PluginToolSetPointer current() const;
  bool ready() const;
  void whenReady(std::function<void()> callback);

private:
  class State; // plugins may report changes until they are destroyed
  const std::shared_ptr<State> state_;
};

} // namespace skillhost
