// SPDX-License-Identifier: Apache-2.0
#include "sources.hpp"

#include "commandline/progress_line.hpp"
#include "ground/await.hpp"
#include "ground/shown.hpp"
#include "host.hpp"
#include "json_output.hpp"
#include "source_warnings.hpp"

#include "base/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

namespace skillhost::app {
namespace {

// Returns the gauges that the source reports, such as its age or its remaining calls, as whole
// numbers.
std::map<std::string, std::int64_t> reportedBy(const SourceStatus &source) {
  constexpr std::string_view prefix = "skillhost_plugin_";
  std::map<std::string, std::int64_t> found;
  for (const metrics::Registry::Value &one : metrics::all().snapshot()) {
    const auto instance = one.name.labels.find("instance");
    const bool isIts = instance != one.name.labels.end() && instance->second == source.name;
    if (isIts && one.kind == metrics::Kind::Gauge && one.name.name.starts_with(prefix))
      found[one.name.name.substr(prefix.size())] = std::llround(one.number);
  }
  return found;
}

Json asJson(const SourceStatus &source, const SourceWarnings &warnings) {
  Json json{{"name", source.name},
            {"state", source.state()},
            {"skills", source.skills},
            {"revision", source.revision}};
  if (!source.failure.empty()) json["failure"] = source.failure;
  if (auto ofSource = warnings.of(source.name, source.failure); !ofSource.empty())
    json["warnings"] = std::move(ofSource);
  if (const auto reported = reportedBy(source); !reported.empty()) json["reported"] = reported;
  return json;
}

// Prints the other warnings. Call it after printing the sources.
void printOthers(const SourceWarnings &warnings) {
  for (const std::string &one : warnings.others())
    printShown(stderr, "skillhost: %s\n", shownLine(one).c_str());
}

// Returns the named sources, or all. Complains about names that no source has.
std::vector<SourceStatus> chosen(const Catalogue &catalogue, const std::vector<std::string> &names,
                                 bool &allThere) {
  allThere = true;
  if (names.empty()) return catalogue.sources();
  std::vector<SourceStatus> out;
  for (const std::string &name : names) {
    const auto &all = catalogue.sources();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto &one) { return one.name == name; });
    if (found != all.end()) {
      out.push_back(*found);
      continue;
    }
    allThere = false;
    printShown(stderr, "skillhost: no source is named \"%s\"; skillhost source list names all\n",
               name.c_str());
  }
  return out;
}

void printSources(const std::vector<SourceStatus> &sources, const SourceWarnings &warnings) {
  Json list = Json::array();
  for (const SourceStatus &source : sources) list.push_back(asJson(source, warnings));
  printJson(Json{{"sources", std::move(list)}});
}

int printStatus(const WantedSources &wanted, const Catalogue &catalogue,
                const SourceWarnings &warnings) {
  bool good = true;
  const auto sources = chosen(catalogue, wanted.names, good);
  for (const SourceStatus &source : sources) good = good && source.failure.empty();
  if (wanted.json) {
    printSources(sources, warnings);
    printOthers(warnings);
    return good ? 0 : 1;
  }
  for (const SourceStatus &source : sources) {
    printShown(stdout, "%s\n  state     %s\n  skills    %zu\n", source.name.c_str(),
               std::string(source.state()).c_str(), source.skills);
    if (!source.revision.empty()) printShown(stdout, "  revision  %s\n", source.revision.c_str());
    if (!source.failure.empty())
      printShown(stdout, "  failure   %s\n", shownLine(withoutNextTry(source.failure)).c_str());
    for (const std::string &one : warnings.of(source.name, source.failure))
      printShown(stdout, "  warning   %s\n", shownLine(one).c_str());
    for (const auto &[name, value] : reportedBy(source))
      printShown(stdout, "  %s  %lld\n", name.c_str(), static_cast<long long>(value));
  }
  printOthers(warnings);
  return good ? 0 : 1;
}

// Removes the sources that are not named, so that they do not start. Only works for names in the
// configuration.
Configuration onlyNamed(Configuration configuration, const std::vector<std::string> &names) {
  const auto named = [&](const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto known = static_cast<std::size_t>(
      std::count_if(configuration.sources.begin(), configuration.sources.end(),
                    [&](const SourceConfiguration &one) { return named(one.name); }));
  if (names.empty() || known != names.size()) return configuration;
  std::erase_if(configuration.sources,
                [&](const SourceConfiguration &one) { return !named(one.name); });
  configuration.skillsDirs.clear();
  return configuration;
}

} // namespace

int listSources(const Configuration &configuration, const std::string &executable, bool json) {
  const SourceWarnings warnings;
  Host host(configuration, executable, builtForHosts());
  host.waitUntilReady(false);
  const auto catalogue = host.library().catalogue();
  if (json) {
    printSources(catalogue->sources(), warnings);
    printOthers(warnings);
    return 0;
  }
  std::size_t width = 0;
  for (const SourceStatus &source : catalogue->sources())
    width = std::max(width, source.name.size());
  for (const SourceStatus &source : catalogue->sources())
    printShown(stdout, "%-*s  %-6s  %zu skill%s%s%s\n", static_cast<int>(width),
               source.name.c_str(), std::string(source.state()).c_str(), source.skills,
               source.skills == 1 ? "" : "s", source.failure.empty() ? "" : "  ",
               shownLine(withoutNextTry(source.failure)).c_str());
  for (const SourceStatus &source : catalogue->sources())
    for (const std::string &one : warnings.of(source.name, source.failure))
      printShown(stderr, "skillhost: %s: %s\n", source.name.c_str(), shownLine(one).c_str());
  printOthers(warnings);
  return 0;
}

// A source may first serve what it knew last time, so reload it before reporting its state.
int refreshSources(const Configuration &configuration, const std::string &executable,
                   const WantedSources &wanted, std::map<std::string, std::string> *revisions) {
  const SourceWarnings warnings;
  Host host(onlyNamed(configuration, wanted.names), executable, builtForHosts());
  host.waitUntilReady(false);
  const ProgressLine line(host.library().progress());
  awaitDone([&](const auto &reloaded) { host.library().reload(reloaded); });
  const auto catalogue = host.library().catalogue();
  if (revisions != nullptr)
    for (const SourceStatus &source : catalogue->sources())
      revisions->emplace(source.name, source.revision);
  return printStatus(wanted, *catalogue, warnings);
}

} // namespace skillhost::app
