// SPDX-License-Identifier: Apache-2.0
// What all plugins offer beside the skills, as one set that stays the same while it is looked at.
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
  // Withholds what is taken already: by the host, which has tools of the names `taken`, or by a
  // plugin before it; withheld() has it then.
  PluginToolSet(std::uint64_t generation, const std::vector<PluginToolLists> &all,
                const std::set<std::string> &taken);
  // `whole` as it would be if these instances did not exist, but for names they have taken.
  PluginToolSet(const PluginToolSet &whole, const std::set<std::string> &hidden);
  // Not movable: the indexes point into the lists.
  PluginToolSet(const PluginToolSet &) = delete;
  PluginToolSet &operator=(const PluginToolSet &) = delete;

  std::uint64_t generation() const noexcept { return generation_; } // 0: there are no plugins
  // Tells it from other views of the same generation; empty: nothing is hidden.
  const std::string &hidden() const noexcept { return hidden_; }
  const std::vector<PluginTool> &tools() const noexcept { return tools_; }
  const std::vector<PluginTool> &prompts() const noexcept { return prompts_; }
  const std::vector<PluginTool> &resources() const noexcept { return resources_; }
  const std::vector<PluginTool> &templates() const noexcept { return templates_; }
  // Null when there is none.
  const PluginTool *tool(std::string_view name) const { return find(tools_, name); }
  const PluginTool *prompt(std::string_view name) const { return find(prompts_, name); }
  const PluginTool *uriTemplate(std::string_view text) const { return find(templates_, text); }
  // The resource, or the first template that the URI fits.
  const PluginTool *resource(std::string_view uri) const;
  // What was withheld of each provider's, in the order they were given.
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
  // If attach() will be called (`expected`), it is not ready until then, and until every plugin has
  // given its list or failed to. No plugin can take the name of one of `ownTools`.
  PluginTools(bool expected, const OwnTools &ownTools);

  using Tell =
      std::function<void(const PluginToolSetPointer &now, const PluginToolSetPointer &before)>;
  // Lists them all, each anew whenever it says that it has changed; `tell` hears when something is
  // another then. Of the first lists it hears before this is ready(). Once.
  void attach(std::vector<std::shared_ptr<ToolProvider>> providers,
              std::chrono::milliseconds within, Tell tell);
  // Lets go of the plugins: nothing is offered any more.
  void end();

  PluginToolSetPointer current() const;
  bool ready() const;
  void whenReady(std::function<void()> callback);

private:
  class State; // plugins may say that they have changed until they are destroyed
  const std::shared_ptr<State> state_;
};

} // namespace skillhost
