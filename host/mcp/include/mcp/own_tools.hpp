// SPDX-License-Identifier: Apache-2.0
// The tools of a server: its own, and those that features bring.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace skillhost {

struct Tool;
class ToolCall;

// A tool that a feature brings. `run` answers a call of it in place of Tool::run, which is null.
struct FeatureTool {
  const Tool *tool = nullptr;
  std::function<void(const ToolCall &call)> run;
};

// The table of these tools. It never changes. Any thread.
class OwnTools {
public:
  // Has the tools of the server itself, and after them `further`. The tools outlive the table.
  explicit OwnTools(std::vector<FeatureTool> further = {});

  // Returns all of them in the order of tools/list, including tools that not every caller is
  // offered.
  std::span<const Tool *const> all() const noexcept { return all_; }
  // Returns null if no tool has that name.
  const Tool *find(std::string_view name) const;
  // Lets the tool, which is one of these, answer the call.
  void run(const Tool &tool, const ToolCall &call) const;

private:
  std::vector<FeatureTool> further_;
  std::vector<const Tool *> all_;
};

} // namespace skillhost
