// SPDX-License-Identifier: Apache-2.0
#include "check_plugin.hpp"

#include "check/check.hpp"
#include "ground/counted.hpp"
#include "ground/json.hpp"
#include "ground/shown.hpp"
#include "plugin_configuration.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace skillhost {
namespace {

using check::Outcome;
using check::Verdict;

std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 4> names{"ok", "warning", "FAILED", "skipped"};
  return names[static_cast<std::size_t>(verdict)];
}

// A text of a plugin in it must not look like the line of another check.
void print(const Outcome &outcome) {
  printShown(stdout, "%-11s  %-7s  %s\n", outcome.check.c_str(),
             std::string(name(outcome.verdict)).c_str(), shownLine(outcome.found).c_str());
  if (!outcome.advice.empty())
    printShown(stdout, "%22s→ %s\n", "", shownLine(outcome.advice).c_str());
  std::fflush(stdout); // some checks take seconds
}

std::size_t count(const std::vector<Outcome> &outcomes, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(),
                    [&](const Outcome &one) { return one.verdict == verdict; }));
}

bool wasPrevented(const Outcome &outcome) { return outcome.wasPrevented; }

std::size_t countPrevented(const std::vector<Outcome> &outcomes) {
  return static_cast<std::size_t>(std::count_if(outcomes.begin(), outcomes.end(), wasPrevented));
}

// A plugin that could not be checked must not pass the checks of a build.
bool hasPassed(const std::vector<Outcome> &outcomes) {
  return count(outcomes, Verdict::Failed) == 0 && countPrevented(outcomes) == 0;
}

// Says how many checks were not run, and why, unless a failure explains it.
void printPrevented(const std::vector<Outcome> &outcomes) {
  const auto first = std::find_if(outcomes.begin(), outcomes.end(), wasPrevented);
  if (first == outcomes.end() || count(outcomes, Verdict::Failed) != 0) return;
  const std::size_t prevented = countPrevented(outcomes);
  printShown(stdout, "NOT CHECKED: %s %s not run, because %s\n",
             counted(prevented, "check").c_str(), prevented == 1 ? "was" : "were",
             shownLine(first->found).c_str());
}

std::string asJson(const std::string &plugin, const check::Report &report) {
  const std::vector<Outcome> &outcomes = report.outcomes;
  Json checks = Json::array();
  for (const Outcome &one : outcomes) {
    const bool failed = one.verdict == Verdict::Failed;
    Json line{{"check", one.check},
              {"verdict", failed ? "failed" : name(one.verdict)},
              {"found", one.found},
              {"durationMs", one.took.count()}};
    if (!one.advice.empty()) line["advice"] = one.advice;
    checks.push_back(std::move(line));
  }
  return Json({{"plugin", plugin},
               {"ok", hasPassed(outcomes)},
               {"failed", count(outcomes, Verdict::Failed)},
               {"warnings", count(outcomes, Verdict::Warning)},
               {"notRun", countPrevented(outcomes)},
               {"confinement", report.confinement.empty() ? "none" : report.confinement},
               {"checks", std::move(checks)}})
      .dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace

int checkPlugin(const CheckSettings &settings, const app::Surroundings &surroundings) {
  const Result<std::string> file = pluginFile(settings);
  if (!file) return programs::refuse(file.failure());
  const Result<std::string> configuration = pluginConfiguration(settings, surroundings);
  if (!configuration) return programs::refuse(configuration.failure());
  const check::Report report = check::checkPlugin(
      {surroundings.executable, *file, *configuration, settings.only,
       std::chrono::milliseconds(settings.deadlineMs), settings.trusted, settings.allowRead},
      [&](const Outcome &one) {
        if (!settings.json) print(one);
      });
  const std::vector<Outcome> &outcomes = report.outcomes;
  if (!report.confined)
    printShown(stderr, "skillhost: the plugin was not confined by all means: %s\n",
               report.confinement.c_str());
  if (settings.json) {
    printJsonText(stdout, asJson(*file, report));
  } else {
    printShown(stdout, "%s: %zu failed, %s, %zu ok, %zu skipped\n", file->c_str(),
               count(outcomes, Verdict::Failed),
               counted(count(outcomes, Verdict::Warning), "warning").c_str(),
               count(outcomes, Verdict::Ok), count(outcomes, Verdict::Skipped));
    printPrevented(outcomes);
  }
  return hasPassed(outcomes) ? 0 : 1;
}

} // namespace skillhost
