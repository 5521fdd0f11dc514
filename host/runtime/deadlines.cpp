// SPDX-License-Identifier: Apache-2.0
#include "runtime/deadlines.hpp"

namespace skillhost {

std::chrono::milliseconds Deadlines::of(std::string_view tool, ToolCategory category) const {
  if (const auto own = tools.find(tool); own != tools.end()) return own->second;
  switch (category) {
  case ToolCategory::Mutation:
    return mutation;
  case ToolCategory::Scan:
    return scan;
  case ToolCategory::Execution:
    return execution;
  case ToolCategory::Query:
    break;
  }
  return query;
}

} // namespace skillhost
