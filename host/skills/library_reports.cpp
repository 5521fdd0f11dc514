// SPDX-License-Identifier: Apache-2.0
#include "library_reports.hpp"

#include "base/log.hpp"
#include "base/metrics.hpp"
#include "ground/counted.hpp"
#include "skillmd/assessment.hpp"
#include "skillmd/content_findings.hpp"
#include "skills/finding_summary.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <string_view>

namespace skillhost {
namespace {

void show(const char *name, const std::string &source, double value) {
  metrics::all().gauge({name, {{"source", source}}}).set(value);
}

constexpr const char *figuresOfSource[] = {"skillhost_source_up", "skillhost_source_skills",
                                           "skillhost_source_last_success_timestamp_seconds"};
constexpr const char *states[] = {"ok", "stale", "failed"}; // as SourceStatus has them

void showState(const std::string &source, std::string_view state) {
  for (const char *const one : states)
    metrics::all()
        .gauge({"skillhost_source_state", {{"source", source}, {"state", one}}})
        .set(state == one ? 1 : 0);
}

void showFindings(const Catalogue &now, Severity severity, const char *name) {
  const auto count = std::count_if(now.findings().begin(), now.findings().end(),
                                   [&](const Finding &one) { return one.severity == severity; });
  metrics::all()
      .gauge({"skillhost_catalogue_findings", {{"severity", name}}})
      .set(static_cast<double>(count));
}

// True for a finding that says why skills/list leaves a skill out, or why a reader gets other text
// than its file has.
bool isBrokenRule(const Finding &finding, const CatalogueEntry &entry) {
  if (finding.severity != Severity::Warning) return false;
  if (finding.code == notUtf8Code) return true;
  return !entry.listed && entry.isForModels() && finding.code != otherFolderCode;
}

// Names each place where a skill that is new or has changed breaks a rule and is served all the
// same.
void warnOfBrokenRules(const Catalogue &now, const Catalogue &before) {
  FindingSummary summary("broken rules of skills that are served all the same");
  for (const CatalogueEntry &entry : now.entries()) {
    const CatalogueEntry *const was = before.byId(entry.skill->id);
    if (was != nullptr && was->skill == entry.skill) continue;
    std::set<std::string> known;
    if (was != nullptr)
      for (const Finding &finding : was->skill->findings) known.insert(render(finding));
    for (const Finding &finding : entry.skill->findings)
      if (isBrokenRule(finding, entry) && !known.contains(render(finding))) summary.add(finding);
  }
  for (const std::string &line : summary.lines()) log::warning("skills", line);
}

// Names each skill that is not served because another one has its name. The log names the other
// skills that are not served when their source is read.
void warnOfNameless(const Catalogue &now, const std::set<std::string> &known) {
  FindingSummary summary("skills that are not served, since others have their names");
  for (const Finding &finding : now.findings())
    if (finding.severity == Severity::Error && finding.code == nameTakenCode &&
        !known.contains(render(finding)))
      summary.add(finding, "not served: ");
  for (const std::string &line : summary.lines()) log::warning("skills", line);
}

double nowInSeconds() {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  return now.count();
}

} // namespace

void countRefresh(const std::string &source, bool isGood) {
  metrics::all()
      .counter({"skillhost_source_refreshes_total",
                {{"source", source}, {"outcome", isGood ? "ok" : "failed"}}})
      .add();
  if (isGood) show("skillhost_source_last_success_timestamp_seconds", source, nowInSeconds());
}

void updateCatalogueMetrics(const Catalogue &now) {
  const auto set = [](const char *name, double value) {
    metrics::all().gauge({name, {}}).set(value);
  };
  set("skillhost_catalogue_generation", static_cast<double>(now.generation()));
  set("skillhost_catalogue_skills", static_cast<double>(now.entries().size()));
  set("skillhost_catalogue_published_timestamp_seconds", nowInSeconds());
  showFindings(now, Severity::Error, "error");
  showFindings(now, Severity::Warning, "warning");
  showFindings(now, Severity::Advice, "advice");
  for (const SourceStatus &source : now.sources()) showState(source.name, source.state());
}

void updateSourceMetrics(const std::vector<SourceResult> &results) {
  for (const SourceResult &result : results) {
    show("skillhost_source_up", result.name, result.skills && result.failure.empty() ? 1 : 0);
    show("skillhost_source_skills", result.name,
         result.skills ? static_cast<double>(result.skills->skills.size()) : 0);
  }
}

void clearSourceMetrics(const std::string &source) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  for (const char *const name : figuresOfSource) show(name, source, nothing);
  for (const char *const state : states)
    metrics::all()
        .gauge({"skillhost_source_state", {{"source", source}, {"state", state}}})
        .set(nothing);
}

void warnOfNewFindings(const Catalogue &now, const Catalogue &before) {
  std::set<std::string> known;
  for (const Finding &finding : before.findings()) known.insert(render(finding));
  // The log names each skill that is not served, with the reason, so its warnings add nothing.
  std::set<std::string_view> notServed;
  for (const Finding &finding : now.findings())
    if (finding.severity == Severity::Error) notServed.insert(finding.file);
  FindingSummary summary("findings of the catalogue");
  for (const Finding &finding : now.findings())
    if (finding.severity == Severity::Warning && !notServed.contains(finding.file) &&
        !known.contains(render(finding)))
      summary.add(finding);
  for (const std::string &line : summary.lines()) log::warning("skills", line);
  warnOfNameless(now, known);
  warnOfBrokenRules(now, before);
  const auto hidden = [](const Catalogue &c) {
    return std::count_if(c.entries().begin(), c.entries().end(), [](const CatalogueEntry &entry) {
      return !entry.listed && entry.isForModels();
    });
  };
  const auto count = hidden(now);
  if (count != 0 && count != hidden(before))
    log::warning("skills",
                 counted(static_cast<std::size_t>(count), "skill") +
                     (count == 1 ? " breaks" : " break") +
                     " a rule of the skills extension; skills/list leaves out what does, the tools "
                     "serve it. skillhost validate says why");
}

} // namespace skillhost
