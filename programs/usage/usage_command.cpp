// SPDX-License-Identifier: Apache-2.0
#include "usage_command.hpp"

#include "usage/report.hpp"

#include <string>
#include <string_view>

namespace skillhost::app {
namespace {

template <class Names> std::string choices(const Names &names) {
  std::string all;
  for (const std::string_view name : names) (all += all.empty() ? "" : "|") += name;
  return all;
}

} // namespace

CommandDescription usageDescription(const ArgumentDescription &help,
                                    const ArgumentDescription &json, const char *group) {
  CommandDescription command{
      "usage",
      "Show what was used, how often and by whom, from the file that servers write "
      "(usage.path). Replicas write a file each: name all of them to add up their figures.",
      true,
      {help,
       {{"--since"},
        "WHEN",
        "Only what was used since then: a span back from now (30m, 12h, 7d, 4w), or a day in "
        "UTC (2026-07-28). Default: all there is.",
        group},
       {{"--until"}, "WHEN", "Only what was used before then. Default: now.", group},
       {{"--by"},
        choices(usageByNames),
        "What each line is about; query: what was asked for and not found. Default: skill.",
        group},
       {{"--kind"}, choices(useKindNames), "Only uses of this kind. Default: all.", group},
       {{"--skill"},
        "NAME",
        "Only uses of this skill, by its name or <source>/<path>: with --by principal, by whom.",
        group},
       {{"--unused"},
        "",
        "The skills that are served and that nobody has loaded or read in that time.",
        group},
       {{"--limit"}, "N", "At most so many lines. Default: all.", group},
       json,
       {{"--csv"}, "", "Print comma-separated values.", group}},
      {{{"FILE"},
        "FILE",
        "A file of usage in place of that of the configuration; of several, such as the replicas' "
        "or copies of them, the figures are added up, each file once.",
        "",
        false,
        true}}};
  command.position = 700;
  return command;
}

} // namespace skillhost::app
