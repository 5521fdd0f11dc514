// SPDX-License-Identifier: Apache-2.0
// Needs no running server, and does not disturb one.
#include "catalogue_command.hpp"
#include "ground/counted.hpp"
#include "ground/shown.hpp"
#include "ground/time_reading.hpp"
#include "ground/time_text.hpp"
#include "ground/utf8.hpp"
#include "host.hpp"
#include "json_output.hpp"
#include "known_configuration.hpp"
#include "program.hpp"
#include "usage/configured.hpp"
#include "usage_options.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::app {
namespace {

using Cells = std::vector<std::string>;

// A column of the output: its heading in a table, its name for programs, and its value.
struct Column {
  const char *heading, *name;
  Json (*value)(const UsageRow &row);
};

std::string lastUseOf(const UsageRow &row) { return timeText(row.last / 1'000); }

constexpr Column usageColumns[] = {
    {"LOADS", "loads", [](const UsageRow &row) { return Json(row.loads); }},
    {"UNCHANGED", "unchanged", [](const UsageRow &row) { return Json(row.unchanged); }},
    {"READS", "reads", [](const UsageRow &row) { return Json(row.reads); }},
    {"SEARCHES", "searches", [](const UsageRow &row) { return Json(row.searches); }},
    {"NO HIT", "nothing_found", [](const UsageRow &row) { return Json(row.nothing); }},
    {"REFUSED", "refusals", [](const UsageRow &row) { return Json(row.refusals); }},
    {"FAILED", "failures", [](const UsageRow &row) { return Json(row.failures); }},
    {"PRINCIPALS", "principals", [](const UsageRow &row) { return Json(row.principals); }},
    {"CLIENTS", "clients", [](const UsageRow &row) { return Json(row.clients); }},
    {"MEAN µs", "mean_us", [](const UsageRow &row) { return Json(row.meanMicroseconds); }},
    {"LAST", "last", [](const UsageRow &row) { return Json(lastUseOf(row)); }},
};

std::string_view groupName(UsageBy by) { return usageByNames.at(static_cast<std::size_t>(by)); }

std::string skillIdOf(const std::string &source, const std::string &path) {
  return source.empty() ? std::string() : source + '/' + path;
}

std::string cellOf(const Json &value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string inCapitals(std::string_view text) {
  std::string out(text);
  for (char &c : out) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return out;
}

// Prints columns that are as wide as needed: the first `texts` aligned left, numbers aligned right.
void printUsageTable(const Cells &headings, const std::vector<Cells> &lines, std::size_t texts) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    std::size_t width = countCharacters(headings[i]);
    for (const Cells &line : lines) width = std::max(width, countCharacters(line[i]));
    widths.push_back(width);
  }
  const auto print = [&](const Cells &line) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string blanks(widths[i] - countCharacters(line[i]), ' ');
      if (i != 0) out += "  ";
      out += i < texts ? line[i] + blanks : blanks + line[i];
    }
    while (out.ends_with(' ')) out.pop_back();
    printShown(stdout, "%s\n", out.c_str());
  };
  print(headings);
  for (const Cells &line : lines) print(line);
}

// Returns true if a spreadsheet would take the text for a formula. It reads the full-width forms of
// the four signs in the same way.
bool isFormula(std::string_view text) {
  constexpr std::array<std::string_view, 11> signs{"=",
                                                   "+",
                                                   "-",
                                                   "@",
                                                   "\t",
                                                   "\r",
                                                   "\n",
                                                   "\xEF\xBC\x9D",
                                                   "\xEF\xBC\x8B",
                                                   "\xEF\xBC\x8D",
                                                   "\xEF\xBC\xA0"};
  return std::any_of(signs.begin(), signs.end(),
                     [&](std::string_view sign) { return text.starts_with(sign); });
}

// Prints CSV as in RFC 4180. Foreign texts become neither formulas nor, in a spreadsheet that
// separates by semicolons, two cells. Control characters are escaped even in a file, because it may
// be printed to a terminal later.
void printUsageCsv(const std::vector<Cells> &lines) {
  for (const Cells &line : lines) {
    std::string out;
    for (const std::string &cell : line) {
      if (!out.empty() || &cell != line.data()) out += ',';
      std::string text = shownText(cell);
      if (isFormula(text)) text.insert(0, 1, '\'');
      if (text.find_first_of(",;\t\"\r\n") == std::string::npos) {
        out += text;
        continue;
      }
      out += '"';
      for (const char c : text) out.append(c == '"' ? 2 : 1, c);
      out += '"';
    }
    out += "\r\n";
    std::fwrite(out.data(), 1, out.size(), stdout);
  }
}

Json timeSpanOf(const UsageQuestion &question) {
  Json span = Json::object();
  if (question.since != 0) span["since"] = timeText(question.since / 1'000);
  if (question.until != INT64_MAX) span["until"] = timeText(question.until / 1'000);
  return span;
}

void printRowsAsJson(const UsageQuestion &question, const std::vector<UsageRow> &rows) {
  Json list = Json::array();
  for (const UsageRow &row : rows) {
    Json one{{std::string(groupName(question.by)), row.key}};
    if (question.by == UsageBy::Skill) {
      one["source"] = row.source;
      one["id"] = skillIdOf(row.source, row.path);
    }
    for (const Column &column : usageColumns) one[column.name] = column.value(row);
    list.push_back(std::move(one));
  }
  Json all = timeSpanOf(question);
  all["by"] = groupName(question.by);
  all["usage"] = std::move(list);
  printJson(all);
}

void printRowsAsCsv(const UsageQuestion &question, const std::vector<UsageRow> &rows) {
  const bool ofSkills = question.by == UsageBy::Skill;
  std::vector<Cells> lines{{std::string(groupName(question.by))}};
  if (ofSkills) lines.front().insert(lines.front().end(), {"source", "id"});
  for (const Column &column : usageColumns) lines.front().emplace_back(column.name);
  for (const UsageRow &row : rows) {
    Cells line{row.key};
    if (ofSkills) line.insert(line.end(), {row.source, skillIdOf(row.source, row.path)});
    for (const Column &column : usageColumns) line.push_back(cellOf(column.value(row)));
    lines.push_back(std::move(line));
  }
  printUsageCsv(lines);
}

// Leaves out empty columns.
void printRowsAsTable(const UsageQuestion &question, const std::vector<UsageRow> &rows) {
  constexpr std::size_t maxCellBytes = 60;
  std::vector<const Column *> shown;
  for (const Column &column : usageColumns)
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const UsageRow &row) { return column.value(row) != Json(0); }))
      shown.push_back(&column);
  const bool ofSkills = question.by == UsageBy::Skill;
  Cells headings{inCapitals(groupName(question.by))};
  if (ofSkills) headings.emplace_back("SOURCE");
  for (const Column *column : shown) headings.emplace_back(column->heading);
  std::vector<Cells> lines;
  for (const UsageRow &row : rows) {
    const std::string key = shownLine(row.key);
    Cells line{key.empty() ? "-" : std::string(cutUtf8(key, maxCellBytes))};
    if (ofSkills) line.push_back(row.source);
    for (const Column *column : shown) line.push_back(cellOf(column->value(row)));
    lines.push_back(std::move(line));
  }
  printUsageTable(headings, lines, ofSkills ? 2 : 1);
}

// Reports a requested file that does not count.
void tellFilesThatComeTwice(const std::vector<std::string> &paths) {
  std::map<std::string, std::string> known;
  for (const std::string &path : paths) {
    const Result<std::string> id = usageFileId(path);
    if (!id) continue; // its reader reports it
    if (const auto [first, isNew] = known.emplace(*id, path); !isNew)
      printShown(stderr, "skillhost: %s is %s, or a copy of it: the first one counts\n",
                 path.c_str(), first->second.c_str());
  }
}

int printUsageRows(const UsageInvocation &usage, const std::vector<std::string> &paths) {
  const Result<std::vector<UsageRow>> rows = usageRows(paths, usage.question);
  if (!rows) {
    const bool absent = usage.files.empty() && rows.failure().fault == Fault::NotFound;
    printShown(stderr, "skillhost: %s%s\n", rows.failure().message.c_str(),
               absent ? "; a server writes it once something is used (usage.enabled, usage.path)"
                      : "");
    return 1;
  }
  if (usage.form == UsageForm::Json)
    printRowsAsJson(usage.question, *rows);
  else if (usage.form == UsageForm::Csv)
    printRowsAsCsv(usage.question, *rows);
  else if (rows->empty())
    std::puts("Nothing was used in that time.");
  else
    printRowsAsTable(usage.question, *rows);
  return 0;
}

void printUnused(const UsageInvocation &usage, const std::vector<ServedSkill> &unused,
                 std::size_t served) {
  if (usage.form == UsageForm::Json) {
    Json list = Json::array();
    for (const ServedSkill &skill : unused)
      list.push_back({{"skill", skill.name},
                      {"source", skill.source},
                      {"id", skillIdOf(skill.source, skill.path)}});
    Json all = timeSpanOf(usage.question);
    all["served"] = served;
    all["unused"] = std::move(list);
    return printJson(all);
  }
  if (usage.form == UsageForm::Csv) {
    std::vector<Cells> lines{{"skill", "source", "id"}};
    for (const ServedSkill &skill : unused)
      lines.push_back({skill.name, skill.source, skillIdOf(skill.source, skill.path)});
    return printUsageCsv(lines);
  }
  for (const ServedSkill &skill : unused)
    printShown(stdout, "%s\n", shownLine(skillIdOf(skill.source, skill.path)).c_str());
  printShown(stderr, "%zu of %s %s not used in that time\n", unused.size(),
             counted(served, "skill").c_str(), unused.size() == 1 ? "was" : "were");
}

int printUnusedSkills(const UsageInvocation &usage, const std::vector<std::string> &paths,
                      const Configuration &configuration, const std::string &executable) {
  Host host(configuration, executable, builtForHosts());
  host.waitUntilReady(false);
  const auto catalogue = host.library().catalogue();
  std::vector<ServedSkill> served;
  for (const CatalogueEntry &entry : catalogue->entries())
    served.push_back({entry.skill->fields.name, entry.skill->source, entry.skill->path});
  Result<std::vector<ServedSkill>> unused = unusedSkills(paths, usage.question, served);
  // Without records, nobody knows which skills were used.
  if (!unused) {
    printShown(stderr, "skillhost: %s\n", unused.failure().message.c_str());
    return 1;
  }
  const std::size_t limit = usage.question.limit;
  if (limit != 0 && unused->size() > limit) unused->resize(limit);
  printUnused(usage, *unused, served.size());
  return 0;
}

// Returns 1 if there is no file, or it cannot be read.
int showUsage(const ParsedArguments &arguments, const Surroundings &surroundings) {
  const Result<UsageInvocation> usage = usageInvocation(arguments, millisecondsNow());
  if (!usage) return programs::refuse(usage.failure());
  const Result<KnownConfiguration> known = knownConfiguration(arguments, surroundings);
  if (!known) return programs::refuse(known.failure());
  const CommandLog log(*known, surroundings);
  const Configuration &configuration = known->configuration;
  std::vector<std::string> paths = usage->files;
  if (paths.empty()) {
    const std::string path = usageSettings(configuration).path;
    if (path.empty()) {
      printShown(stderr, "skillhost: neither XDG_CACHE_HOME nor HOME is set: name the file with "
                         "usage.path (--set usage.path=FILE)\n");
      return 1;
    }
    if (configuration.state.isShared(Transport::Http))
      std::fputs("skillhost: this is the usage of this machine's file only: to add up all "
                 "replicas, name the file of each (skillhost usage FILE...)\n",
                 stderr);
    paths.push_back(path);
  }
  if (paths.size() > 1) tellFilesThatComeTwice(paths);
  return usage->unused ? printUnusedSkills(*usage, paths, configuration, surroundings.executable)
                       : printUsageRows(*usage, paths);
}

} // namespace

CatalogueCommand usageCommand() { return {{usageDescription()}, showUsage}; }

} // namespace skillhost::app
