// SPDX-License-Identifier: Apache-2.0
// The tools, prompts, resources and templates of all plugins, as one set that does not change while
// a request reads it.
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

// Immutable. The lists are in the order of the plugins in the configuration. The entries of one
// plugin keep its order.
class PluginToolSet {
public:
  PluginToolSet() = default;
  // Merges the lists of all plugins. Leaves out an entry whose key is taken already: by a tool of
  // the host, whose names are `taken`, or by an earlier plugin. problems() then lists it.
  PluginToolSet(std::uint64_t generation, const std::vector<PluginToolLists> &all,
                const std::set<std::string> &taken);
  // Copies `whole` without the entries of the plugin instances that `hidden` names, for a caller
  // who may not see them. A name that a hidden entry has taken from another plugin stays taken.
  PluginToolSet(const PluginToolSet &whole, const std::set<std::string> &hidden);
  // Not movable: the indexes point into the lists.
  PluginToolSet(const PluginToolSet &) = delete;
  PluginToolSet &operator=(const PluginToolSet &) = delete;

  std::uint64_t generation() const noexcept { return generation_; } // 0: none has listed yet
  // Names of the hidden instances, which distinguish this set from others of the same generation;
  // empty: nothing is hidden.
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
  // Returns the entries of each provider that were left out, with the reasons, in the order of the
  // providers.
  const std::vector<std::vector<std::string>> &problems() const noexcept { return problems_; }

private:
  static const PluginTool *find(const std::vector<PluginTool> &pluginTools, std::string_view key);
  std::uint64_t generation_ = 0;
  std::string hidden_; // names of instances
  std::vector<PluginTool> tools_, prompts_, resources_, templates_;
  std::vector<std::vector<std::string>> problems_;
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
  // `expected`: attach() will be called. Then ready() is false until every plugin has returned its
  // list or failed to; otherwise it is true at once. No plugin can take the name of one of
  // `ownTools`.
  PluginTools(bool expected, const OwnTools &ownTools);

  using Tell =
      std::function<void(const PluginToolSetPointer &now, const PluginToolSetPointer &before)>;
  // Calls list() of all plugins, and again of each plugin that reports a change. A list() has the
  // deadline `within`. `tell` is called if the set has changed, on the thread of the plugin; for
  // the first lists, before ready() becomes true. Call attach() once.
  void attach(std::vector<std::shared_ptr<ToolProvider>> providers,
              std::chrono::milliseconds within, Tell tell);
  // Releases the plugins, and makes the set empty.
  void end();

  PluginToolSetPointer current() const;
  bool ready() const;
  void whenReady(std::function<void()> callback);

private:
  class State; // plugins may report changes until they are destroyed
  const std::shared_ptr<State> state_;
};

} // namespace skillhost
