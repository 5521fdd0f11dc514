// SPDX-License-Identifier: Apache-2.0
#include "skillmd/content_findings.hpp"

#include "skillmd/field_reader.hpp"
#include "skillmd/text_place.hpp"

#include "ground/utf8.hpp"

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

std::optional<Finding> inspectEncoding(std::string_view document, std::string_view file,
                                       Strictness strictness) {
  const std::size_t valid = validUtf8Prefix(document);
  if (valid == document.size()) return std::nullopt;
  Finding finding = placeOf(document, file, valid);
  finding.severity = strictness == Strictness::Lenient ? Severity::Warning : Severity::Error;
  finding.code = notUtf8Code;
  finding.message =
      "byte " + std::to_string(valid) + " of the document is not UTF-8 (Latin-1 perhaps)";
  finding.advice = "save the file as UTF-8";
  return finding;
}

} // namespace skillhost
