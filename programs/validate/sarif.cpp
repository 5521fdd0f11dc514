// SPDX-License-Identifier: Apache-2.0
#include "sarif.hpp"

#include "ground/json.hpp"
#include "ground/sha256.hpp"
#include "ground/utf8.hpp"
#include "skillcheck/content_rules.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

std::string_view levelOf(Severity severity) noexcept {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Advice:
    break;
  }
  return "note";
}

// Returns the score by which code hosts sort security findings: 7.0 and more is high, 4.0 and more
// medium.
std::string_view weightOf(Severity severity) noexcept {
  switch (severity) {
  case Severity::Error:
    return "8.0";
  case Severity::Warning:
    return "5.0";
  case Severity::Advice:
    break;
  }
  return "2.0";
}

std::string uriOf(std::string_view path) {
  constexpr std::string_view plain = "-._~/!$&'()*+,;=@";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool kept = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      plain.find(c) != std::string_view::npos;
    if (kept)
      out += c;
    else
      ((out += '%') += digits[byte >> 4U]) += digits[byte & 15U];
  }
  return out;
}

Json ruleOf(const std::string &id, const SiteRules &siteRules) {
  const auto described = [&](std::string_view reason, std::string_view looksFor,
                             std::string_view help, Severity severity) -> Json {
    return {{"id", id},
            {"shortDescription", {{"text", mendUtf8(reason)}}},
            {"fullDescription", {{"text", mendUtf8(looksFor)}}},
            {"help", {{"text", mendUtf8(help)}, {"markdown", mendUtf8(help)}}},
            {"defaultConfiguration", {{"level", levelOf(severity)}}},
            {"properties", {{"tags", {"security"}}, {"security-severity", weightOf(severity)}}}};
  };
  if (const ContentRule *rule = contentRule(id))
    return described(rule->reason, rule->looksFor,
                     "Looks for " + std::string(rule->looksFor) +
                         ". To do: " + std::string(rule->remedy) + '.',
                     rule->severity);
  for (const SiteRule &rule : siteRules.rules())
    if (rule.id == id)
      return described(rule.reason, rule.reason,
                       rule.remedy.empty() ? rule.reason + '.'
                                           : rule.reason + ". To do: " + rule.remedy + '.',
                       rule.severity);
  return {{"id", id}, {"shortDescription", {{"text", mendUtf8(id)}}}};
}

Json resultOf(const Finding &finding, std::size_t rule, std::size_t occurrence) {
  const std::string message = mendUtf8(finding.message);
  Json location = {{"artifactLocation", {{"uri", uriOf(finding.file)}}}};
  if (finding.line != 0) {
    location["region"] = {{"startLine", finding.line}};
    if (finding.column != 0) location["region"]["startColumn"] = finding.column;
  }
  const std::string identity =
      finding.code + '\n' + finding.file + '\n' + std::to_string(occurrence);
  return {
      {"ruleId", finding.code},
      {"ruleIndex", rule},
      {"level", levelOf(finding.severity)},
      {"message",
       {{"text", finding.advice.empty() ? message : message + ": " + mendUtf8(finding.advice)}}},
      {"locations", {{{"physicalLocation", std::move(location)}}}},
      {"partialFingerprints", {{"ruleInFile/v1", sha256Hex(identity)}}}};
}

} // namespace

std::string sarifLog(const std::vector<Finding> &findings, const SiteRules &siteRules) {
  Json rules = Json::array();
  Json results = Json::array();
  std::map<std::string_view, std::size_t> known;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> occurrences;
  for (const Finding &finding : findings) {
    const auto [place, isNew] = known.try_emplace(finding.code, rules.size());
    if (isNew) rules.push_back(ruleOf(finding.code, siteRules));
    results.push_back(
        resultOf(finding, place->second, occurrences[{finding.code, finding.file}]++));
  }
  const Json driver = {
      {"name", "skillhost"}, {"version", SKILLHOST_VERSION}, {"rules", std::move(rules)}};
  return Json({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
               {"version", "2.1.0"},
               {"runs",
                {{{"tool", {{"driver", driver}}},
                  {"columnKind", "unicodeCodePoints"},
                  {"results", std::move(results)}}}}})
             .dump(2) +
         '\n';
}

} // namespace skillhost::app
