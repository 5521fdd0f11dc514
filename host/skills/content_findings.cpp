// SPDX-License-Identifier: Apache-2.0
#include "skills/content_findings.hpp"

#include "skills/field_reader.hpp"

#include <string>

namespace skillhost {
namespace {

bool unlimited(std::string_view tool) noexcept {
  const std::size_t open = tool.find('(');
  if (open == std::string_view::npos) return tool.find('*') != std::string_view::npos;
  const std::string_view inside = tool.substr(open + 1);
  return inside == "*)" || inside == "*:*)" || inside == "**)";
}

} // namespace

std::vector<Finding> inspectFields(const SkillFields &fields, const FrontMatter &matter,
                                   std::string_view file) {
  std::vector<Finding> findings;
  if (matter.fields.contains("hooks"))
    findings.push_back(findingAt(matter, file, "hooks", Severity::Advice, "hooks",
                                 "hooks, which some clients run; they are not executed here",
                                 "say what they are for in the text"));
  for (const std::string &tool : fields.allowedTools)
    if (unlimited(tool)) {
      findings.push_back(findingAt(matter, file, "allowed-tools", Severity::Advice,
                                   "allowed-tools-wildcard",
                                   "`" + tool.substr(0, 100) + "` allows everything",
                                   "name the tools and commands the skill needs"));
      break;
    }
  return findings;
}

} // namespace skillhost
