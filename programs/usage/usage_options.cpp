// SPDX-License-Identifier: Apache-2.0
#include "usage_options.hpp"

#include "moment.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

template <class Names> std::string choices(const Names &names) {
  std::string all;
  for (const std::string_view name : names) (all += all.empty() ? "" : "|") += name;
  return all;
}

// The parser allows no other word.
template <class Names> std::size_t placeOf(const Names &names, std::string_view word) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), word) - names.begin());
}

Status momentOfOption(const ParsedArguments &arguments, const char *option, std::int64_t now,
                      std::int64_t &moment) {
  if (!arguments.has(option)) return Done{};
  const Result<std::int64_t> read = usageMoment(arguments.last(option), now);
  if (!read)
    return refusedArguments(arguments.commands,
                            std::string(option) + ": " + read.failure().message);
  moment = *read;
  return Done{};
}

} // namespace

CommandDescription usageDescription() {
  const ArgumentDescription help = helpOption();
  const ArgumentDescription json = jsonOption();
  CommandDescription command{
      "usage",
      "Show which skills were used, how often and by whom, from the file that servers write "
      "(usage.path). Each replica writes its own file: name all of them to add them up.",
      true,
      {help,
       {{"--since"},
        "WHEN",
        "Only uses since this time: a span back from now (30m, 12h, 7d, 4w), or a day in UTC "
        "(2026-07-28). Default: all.",
        generalOptions},
       {{"--until"}, "WHEN", "Only uses before this time. Default: now.", generalOptions},
       {{"--by"},
        choices(usageByNames),
        "What each line counts; query: searches and names that found nothing. Default: skill.",
        generalOptions},
       {{"--kind"}, choices(useKindNames), "Only uses of this kind. Default: all.", generalOptions},
       {{"--skill"},
        "NAME",
        "Only uses of this skill, by its name or <source>/<path>: with --by principal, by whom.",
        generalOptions},
       {{"--unused"},
        "",
        "The skills that are served and that nobody has loaded or read in that time.",
        generalOptions},
       {{"--limit"}, "N", "Maximum number of lines. Default: all.", generalOptions},
       json,
       {{"--csv"}, "", "Print comma-separated values.", generalOptions}},
      {{{"FILE"},
        "FILE",
        "A usage file, instead of the one of the configuration. Several files, such as those of "
        "replicas, are added up; copies of one file count once.",
        "",
        false,
        true}}};
  command.position = 700;
  return command;
}

Result<UsageInvocation> usageInvocation(const ParsedArguments &arguments, std::int64_t now) {
  UsageInvocation usage;
  UsageQuestion &question = usage.question;
  if (arguments.has("--json") && arguments.has("--csv"))
    return refusedArguments(arguments.commands, "--json or --csv, not both");
  if (arguments.has("--unused") &&
      (arguments.has("--by") || arguments.has("--kind") || arguments.has("--skill")))
    return refusedArguments(
        arguments.commands,
        "--unused is about skills that were not used: leave --by, --kind and --skill");
  for (const auto &[option, moment] :
       {std::pair{"--since", &question.since}, std::pair{"--until", &question.until}})
    if (Status read = momentOfOption(arguments, option, now, *moment); !read)
      return std::move(read).failure();
  if (question.until <= question.since)
    return refusedArguments(arguments.commands, "--until is not after --since");
  std::uint64_t limit = 0;
  if (Status read = readWholeNumber(arguments, "--limit", "", 1'000'000, limit); !read)
    return std::move(read).failure();
  question.limit = limit;
  if (arguments.has("--by"))
    question.by = static_cast<UsageBy>(placeOf(usageByNames, arguments.last("--by")));
  if (arguments.has("--kind"))
    question.kind = static_cast<UseKind>(placeOf(useKindNames, arguments.last("--kind")));
  question.skill = arguments.last("--skill");
  if (arguments.has("FILE")) usage.files = arguments.values.at("FILE");
  usage.unused = arguments.has("--unused");
  if (arguments.has("--json")) usage.form = UsageForm::Json;
  if (arguments.has("--csv")) usage.form = UsageForm::Csv;
  return usage;
}

} // namespace skillhost::app
