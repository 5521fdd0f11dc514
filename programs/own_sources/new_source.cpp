// SPDX-License-Identifier: Apache-2.0
#include "new_source.hpp"

#include "configuration/read_configuration.hpp"
#include "ground/await.hpp"
#include "host.hpp"
#include "skillmd/finding.hpp"
#include "source_warnings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::size_t maxRemarks = 5;

// Removes "the new source:1:90: [0].config.token" and the like, because the entry is in no file
// yet.
std::string withoutPlace(std::string why) {
  const std::string_view file = "the new source:", entry = "[0].";
  const std::size_t key = why.find(entry);
  if (why.starts_with(file) && key != std::string::npos)
    why.replace(file.size(), key + entry.size() - file.size(), " ");
  return why;
}

} // namespace

NewSource tryNewSource(const Json &entry, bool asksRemote, const Configuration &configuration,
                       const std::string &executable) {
  NewSource found;
  CommandLineSettings commandLine;
  commandLine.noFile = true;
  commandLine.resolveReferences = asksRemote;
  commandLine.checkNames = false;
  commandLine.options.push_back({"the new source", "sources", {Json::array({entry}).dump()}, true});
  Result<LoadedConfiguration> read = readConfiguration(commandLine, Surroundings::ofThisProcess());
  if (!read) {
    found.failure = withoutPlace(read.failure().message);
    return found;
  }
  if (!asksRemote) return found;
  Configuration alone = configuration;
  alone.sources = std::move(read->configuration.sources);
  alone.secrets.insert(alone.secrets.end(), read->configuration.secrets.begin(),
                       read->configuration.secrets.end());
  alone.tools.clear();
  alone.observers.clear();
  alone.httpHandlers.clear();
  alone.search.plugin = "none";
  if (FeatureSettings::isDeclared("locked")) alone.features.set("locked", false);
  const SourceWarnings warnings;
  Host host(alone, executable, builtForHosts());
  try {
    host.waitUntilReady(false);
  } catch (const std::runtime_error &wrong) { // a setting that only its plugin understands
    const std::string_view place = "sources[0].", why = wrong.what();
    found.failure = why.substr(why.starts_with(place) ? place.size() : 0);
    found.failure.resize(std::min(found.failure.find('\n'), found.failure.size()));
    found.isMisnamed = true;
    return found;
  }
  // The source may first serve what an earlier instance has kept, even if the remote is away.
  awaitDone([&](const auto &reloaded) { host.library().reload(reloaded); });
  // A copy, because the next catalogue would free it.
  const auto catalogue = host.library().catalogue();
  const std::vector<SourceStatus> &sources = catalogue->sources();
  if (sources.empty()) {
    found.failure = "there is no plugin for it (skillhost plugins says more)";
    return found;
  }
  found.failure = withoutNextTry(sources.front().failure);
  found.isMisnamed = !found.failure.empty() && sources.front().fault == Fault::NotFound;
  found.skillCount = sources.front().skills;
  found.revision = sources.front().revision;
  if (!catalogue->entries().empty()) {
    const std::string &id = catalogue->entries().front().skill->id;
    found.firstSkill = id.substr(std::min(id.find('/') + 1, id.size()));
  }
  found.remarks = warnings.of(sources.front().name);
  for (const Finding &finding : catalogue->findings())
    if (finding.severity == Severity::Error) found.remarks.push_back(render(finding));
  if (found.remarks.size() > maxRemarks) found.remarks.resize(maxRemarks);
  return found;
}

} // namespace skillhost::app
