// SPDX-License-Identifier: Apache-2.0
#include "mcp/own_tools.hpp"

#include "mcp/tool.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {

OwnTools::OwnTools(std::vector<FeatureTool> featureTools) : featureTools_(std::move(featureTools)) {
  for (const Tool *const tool : toolsOfTheServer()) all_.push_back(tool);
  for (const FeatureTool &featureTool : featureTools_) all_.push_back(featureTool.tool);
}

const Tool *OwnTools::find(std::string_view name) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Tool *tool) { return tool->name == name; });
  return found == all_.end() ? nullptr : *found;
}

void OwnTools::run(const Tool &tool, const ToolCall &call) const {
  const auto found = std::find_if(featureTools_.begin(), featureTools_.end(),
                                  [&](const FeatureTool &entry) { return entry.tool == &tool; });
  if (found != featureTools_.end()) return found->run(call);
  tool.run(call);
}

} // namespace skillhost
