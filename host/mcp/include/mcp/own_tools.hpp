// SPDX-License-Identifier: Apache-2.0
// The tools that are compiled into the server: those of host/mcp/tools, and those of its features.
// Tools of plugins are not among them; see plugin_tools.hpp.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace skillhost {

struct Tool;
class ToolCall;

// A tool of a feature. `run` answers its calls in place of Tool::run, which is null.
struct FeatureTool {
  const Tool *tool = nullptr;
  std::function<void(const ToolCall &call)> run;
};

// The table of these tools. Immutable after construction, so any thread may use it.
class OwnTools {
public:
  // Makes a table of the tools of host/mcp/tools and, after them, `featureTools`. It keeps pointers
  // to all of these tools.
  explicit OwnTools(std::vector<FeatureTool> featureTools = {});

  // Returns all tools in the order of tools/list. tools/list leaves some of them out for callers
  // who may not use them.
  std::span<const Tool *const> all() const noexcept { return all_; }
  // Returns null if no tool has that name.
  const Tool *find(std::string_view name) const;
  // Runs the tool, which must be one of all(), to answer the call.
  void run(const Tool &tool, const ToolCall &call) const;

private:
  std::vector<FeatureTool> featureTools_;
  std::vector<const Tool *> all_;
};

} // namespace skillhost
