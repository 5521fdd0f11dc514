// SPDX-License-Identifier: Apache-2.0
#include "library_reports.hpp"

#include "base/log.hpp"
#include "base/metrics.hpp"
#include "ground/counted.hpp"
#include "skills/finding_summary.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace skillhost {
namespace {

void show(const char *name, const std::string &source, double value) {
  metrics::all().gauge({name, {{"source", source}}}).set(value);
}

} // namespace

void showFigures(const std::vector<SourceResult> &results) {
  for (const SourceResult &result : results) {
    show("skillhost_source_up", result.name, result.skills && result.failure.empty() ? 1 : 0);
    show("skillhost_source_skills", result.name,
         result.skills ? static_cast<double>(result.skills->skills.size()) : 0);
  }
}

void forgetFigures(const std::string &source) {
  for (const char *const name : {"skillhost_source_up", "skillhost_source_skills"})
    show(name, source, std::numeric_limits<double>::quiet_NaN());
}

void warnOfNew(const Catalogue &now, const Catalogue &before) {
  std::set<std::string> known;
  for (const Finding &finding : before.findings()) known.insert(render(finding));
  FindingSummary summary("skills are served with a warning");
  for (const Finding &finding : now.findings())
    if (finding.severity == Severity::Warning && !known.contains(render(finding)))
      summary.add(finding);
  for (const std::string &line : summary.lines()) log::warning("skills", line);
  const auto hidden = [](const Catalogue &c) {
    return std::count_if(c.entries().begin(), c.entries().end(),
                         [](const CatalogueEntry &entry) { return !entry.listed; });
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
