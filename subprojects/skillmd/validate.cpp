// SPDX-License-Identifier: Apache-2.0
#include "skillmd/validate.hpp"

#include "skillmd/characters.hpp"
#include "skillmd/text_place.hpp"

#include "skillmd/content_findings.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace skillhost {
namespace {

bool standsBefore(const Finding &a, const Finding &b) noexcept {
  return std::tie(a.line, a.column) < std::tie(b.line, b.column);
}

std::vector<Finding> inspectBytes(std::string_view document, std::string_view file,
                                  Strictness strictness) {
  std::vector<Finding> findings;
  if (auto encoding = inspectEncoding(document, file, strictness))
    findings.push_back(*std::move(encoding));
  if (const std::size_t nul = document.find('\0'); nul != npos) {
    Finding finding = placeOf(document, file, nul);
    finding.severity = Severity::Warning;
    finding.code = "nul-byte";
    finding.message = "a NUL byte in the text";
    finding.advice = "remove it";
    findings.push_back(std::move(finding));
  }
  return findings;
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
  std::string room;
  take(inspectBytes(withoutUtf16(document, room), file, strictness));
  return findings;
}

} // namespace skillhost
