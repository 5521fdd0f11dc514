// SPDX-License-Identifier: Apache-2.0
#include "review/examination.hpp"

#include "document_digests.hpp"
#include "ground/json.hpp"
#include "skillcheck/inspect_file.hpp"
#include "skillcheck/inspect_text.hpp"
#include "skillmd/front_matter.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace skillhost {
namespace {

constexpr std::size_t largestInspected = 8U << 20U; // bytes; the limit of `validate` too
constexpr std::size_t maxFindings = 50;             // of one document

// Returns true if the signature is that of a trusted key; nothing if the facts state none.
std::optional<bool> signatureIn(std::string_view facts) {
  if (facts.empty()) return std::nullopt;
  const std::optional<Json> read = readJsonObject(facts);
  if (!read) return std::nullopt;
  const auto signature = read->find("signature");
  if (signature == read->end()) return std::nullopt;
  return *signature == "trusted";
}

// Returns the name of the skill; empty if there is none or it cannot be read.
std::string nameIn(std::string_view bytes, const std::string &path) {
  const FrontMatterResult read = parseFrontMatter(bytes, path);
  return read.frontMatter ? read.frontMatter->text("name").value_or("") : std::string();
}

// Another condition than the path, the bytes and the executable bit needs a place in the key of
// KeptFindings.
std::vector<Finding> findingsIn(const Document &document, std::string_view bytes) {
  // A large document counts like an unreadable one, otherwise padding would bypass a rule about
  // findings.
  if (bytes.size() > largestInspected) {
    if (!namesText(document.path) && !document.executable && !bytes.starts_with("#!")) return {};
    return {{Severity::Error, "not-inspected", document.path, 0, 0,
             "not looked through: it is larger than " + std::to_string(largestInspected) + " bytes",
             "keep large data out of scripts and documents"}};
  }
  std::vector<Finding> findings =
      inspectFile(bytes, document.path,
                  document.executable ? FileMode::Executable : FileMode::Plain, Severity::Error);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding &a, const Finding &b) { return a.severity < b.severity; });
  if (findings.size() > maxFindings) findings.resize(maxFindings);
  findings.shrink_to_fit();
  return findings;
}

} // namespace

ExaminedDocument examine(const Document &document, std::string_view bytes,
                         const KnownFindings &known) {
  ExaminedDocument out{document.path, document.revision, digestOf(document, bytes), {}};
  if (document.entry) out.name = nameIn(bytes, document.path);
  std::optional<std::vector<Finding>> before = known ? known(out.content) : std::nullopt;
  out.findings = before ? *std::move(before) : findingsIn(document, bytes);
  return out;
}

ExaminedDocument unreadableDocument(const Document &document, const std::string &why) {
  return {document.path,
          document.revision,
          {},
          {{Severity::Error, "unreadable", document.path, 0, 0, "it cannot be read: " + why,
            "check that the file exists and may be read"}}};
}

ExaminedSkill examinedSkill(std::span<const Document> documents,
                            std::span<const ExaminedPointer> each, std::string_view facts,
                            std::string_view common) {
  ExaminedSkill out;
  bool whole = true;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    whole = whole && !each[i]->content.digest.empty();
    out.files[documents[i].path] = each[i]->content;
    if (documents[i].entry && out.name.empty()) out.name = each[i]->name;
    out.findings.insert(out.findings.end(), each[i]->findings.begin(), each[i]->findings.end());
  }
  if (!whole) out.files.clear();
  std::stable_sort(out.findings.begin(), out.findings.end(),
                   [](const Finding &a, const Finding &b) { return a.severity < b.severity; });
  Examined &summary = out.summary;
  if (whole) summary.digest = contentDigest(out.files);
  summary.isSigned = saysSigned(facts, common);
  if (!out.findings.empty()) summary.worst = out.findings.front().severity;
  summary.severe = static_cast<std::size_t>(
      std::count_if(out.findings.begin(), out.findings.end(),
                    [](const Finding &one) { return one.severity == Severity::Error; }));
  if (summary.severe != 0) summary.severest = out.findings.front().code;
  return out;
}

bool saysSigned(std::string_view facts, std::string_view common) {
  return signatureIn(facts).value_or(signatureIn(common).value_or(false));
}

} // namespace skillhost
