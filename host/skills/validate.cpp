// SPDX-License-Identifier: Apache-2.0
#include "skills/validate.hpp"

#include "skills/content_findings.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace skillhost {
namespace {

bool standsBefore(const Finding &a, const Finding &b) noexcept {
  return std::tie(a.line, a.column) < std::tie(b.line, b.column);
}

} // namespace

std::vector<Finding> validateDocument(std::string_view document, std::string_view file,
                                      std::string_view folderName, Strictness strictness) {
  FrontMatterResult parsed = parseFrontMatter(document, file, strictness);
  std::vector<Finding> findings;
  const auto take = [&](std::vector<Finding> more) {
    for (Finding &each : more) {
      const auto [first, last] =
          std::equal_range(findings.begin(), findings.end(), each, standsBefore);
      const bool known = std::any_of(first, last, [&](const Finding &other) {
        return other.code == each.code && other.message.starts_with(each.message);
      });
      if (!known) findings.insert(last, std::move(each));
    }
  };
  take(std::move(parsed.findings));
  if (parsed.frontMatter) take(assess(*parsed.frontMatter, folderName, file, strictness).findings);
  take(inspectContent(document, file));
  return findings;
}

} // namespace skillhost
