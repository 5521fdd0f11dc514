// SPDX-License-Identifier: Apache-2.0
#include "skills/validate.hpp"

#include "characters.hpp"
#include "text_place.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace skillhost {
namespace {

bool standsBefore(const Finding &a, const Finding &b) noexcept {
  return std::tie(a.line, a.column) < std::tie(b.line, b.column);
}

std::vector<Finding> inspectBytes(std::string_view document, std::string_view file) {
  std::vector<Finding> findings;
  const std::size_t valid = validUtf8Prefix(document);
  if (valid != document.size()) {
    Finding finding = placeOf(document, file, valid);
    finding.severity = Severity::Warning;
    finding.code = "encoding-invalid";
    finding.message =
        "byte " + std::to_string(valid) + " of the document is not UTF-8 (Latin-1 perhaps)";
    finding.advice = "save the file as UTF-8";
    findings.push_back(std::move(finding));
  }
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
  take(inspectBytes(withoutUtf16(document, room), file));
  return findings;
}

} // namespace skillhost
