// SPDX-License-Identifier: Apache-2.0
#include "skills/content_findings.hpp"

#include "text_place.hpp"

#include "base/utf8.hpp"
#include "skills/content_scan.hpp"
#include "skills/field_reader.hpp"
#include "skills/front_matter_block.hpp"

#include <array>
#include <string>

namespace skillhost {
namespace {

struct Suspicion {
  Severity severity;
  std::string_view code, message, advice;
};

// In the order of Unwise.
constexpr std::array kinds{
    Suspicion{Severity::Warning, "hidden-tag-characters",
              "characters nobody sees (U+E0000 to U+E007F), which can smuggle instructions",
              "remove them"},
    Suspicion{Severity::Warning, "hidden-bidi-controls",
              "control characters that change the direction of text", "remove them"},
    Suspicion{Severity::Advice, "hidden-zero-width", "characters of no width", "remove them"},
    Suspicion{Severity::Warning, "hidden-instructions",
              "an HTML comment that speaks to whoever reads the source",
              "say it in the text, or remove the comment"},
    Suspicion{Severity::Advice, "inline-command",
              "a !`command` block; it is passed on as text and not executed",
              "tell the reader to run the command"},
    Suspicion{Severity::Advice, "fetch-and-run", "a download that is piped into an interpreter",
              "download to a file, check it, then run it"},
    Suspicion{Severity::Warning, "decode-and-run", "base64 that is decoded into an interpreter",
              "write the command in plain text"},
};

struct Seen {
  std::size_t count = 0, first = 0;
  bool inFrontMatter = false;
};

void checkBytes(std::string_view document, std::string_view file, std::vector<Finding> &findings) {
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
  if (const std::size_t nul = document.find('\0'); nul != std::string_view::npos) {
    Finding finding = placeOf(document, file, nul);
    finding.severity = Severity::Warning;
    finding.code = "nul-byte";
    finding.message = "a NUL byte in the text";
    finding.advice = "remove it";
    findings.push_back(std::move(finding));
  }
}

bool unlimited(std::string_view tool) noexcept {
  const std::size_t open = tool.find('(');
  if (open == std::string_view::npos) return tool.find('*') != std::string_view::npos;
  const std::string_view inside = tool.substr(open + 1);
  return inside == "*)" || inside == "*:*)" || inside == "**)";
}

} // namespace

std::vector<Finding> inspectContent(std::string_view document, std::string_view file) {
  std::array<Seen, kinds.size()> seen;
  const std::size_t body = findFrontMatter(document).bodyOffset;
  const NoticeUnwise notice = [&](Unwise what, std::size_t offset) {
    Seen &kind = seen[static_cast<std::size_t>(what)];
    if (kind.count++ == 0) kind.first = offset;
    if (offset < body) kind.inFrontMatter = true;
  };
  scanHiddenCharacters(document, notice);
  scanComments(document, notice);
  scanCommands(document, notice);

  std::vector<Finding> findings;
  checkBytes(document, file, findings);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (seen[i].count == 0) continue;
    Finding finding = placeOf(document, file, seen[i].first);
    // What is hidden in the name or the description reaches every reader of the catalogue.
    finding.severity = seen[i].inFrontMatter ? Severity::Warning : kinds[i].severity;
    finding.code = kinds[i].code;
    finding.message = kinds[i].message;
    if (seen[i].count > 1) finding.message += " (" + std::to_string(seen[i].count) + " places)";
    finding.advice = kinds[i].advice;
    findings.push_back(std::move(finding));
  }
  return findings;
}

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
