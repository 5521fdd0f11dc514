// SPDX-License-Identifier: Apache-2.0
#include "catalogue_command.hpp"
#include "conversation/open_server.hpp"
#include "ground/json_member.hpp"
#include "ground/shown.hpp"
#include "json_output.hpp"
#include "known_configuration.hpp"
#include "local_source.hpp"
#include "program.hpp"
#include "report.hpp"
#include "server_source.hpp"
#include "sync_options.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::sync {
namespace {

constexpr int maxRounds = 3; // for a source that changes while it is read

// Says where the sources of a configuration are.
struct LoadedSources {
  std::vector<std::string> places; // absolute paths, and words about sources without one
  std::string project;             // empty: no folder that is synced belongs to a project
};

bool liesIn(const std::string &path, const std::string &folder) {
  const std::filesystem::path relative = std::filesystem::path(path).lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// Returns the origin of the configuration's sources in the manifest of the folder: their file or
// their folders. Other working directories must not give other sources the same origin, so a path
// is absolute. If both lie in the project, it is relative to the folder, so that the manifest is
// the same for everybody who works on the project.
std::string localOriginOf(const LoadedSources &sources, const std::string &folder) {
  const bool isInProject = !sources.project.empty() && liesIn(folder, sources.project);
  std::string origin;
  for (const std::string &place : sources.places) {
    const bool isRelative = isInProject && place.starts_with('/') && liesIn(place, sources.project);
    origin +=
        (origin.empty() ? "" : ", ") +
        (isRelative ? std::filesystem::path(place).lexically_relative(folder).string() : place);
  }
  return origin.empty() ? "no sources" : origin;
}

// Returns the file of the configuration, if it states sources, and the folders of other sources.
std::vector<std::string> placesOf(const app::KnownConfiguration &known) {
  std::vector<std::string> places;
  const auto add = [&](const std::string &place) {
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  };
  const auto &writtenAt = known.configuration.places;
  for (const app::SourceConfiguration &source : known.configuration.sources) {
    const auto written = writtenAt.lower_bound(source.key);
    const Json &folders = memberOf(source.config, "directories");
    if (!known.file.empty() && !source.key.empty() && written != writtenAt.end() &&
        written->first.starts_with(source.key) && written->second.starts_with(known.file + ':'))
      add(known.file);
    else if (folders.is_array())
      for (const Json &one : folders) add(one.is_string() ? one.get<std::string>() : one.dump());
    else
      add("the source " + source.name);
  }
  return places;
}

LockWait waitInWords() {
  LockWait wait;
  wait.say = [](const std::string &words) { printShown(stderr, "skillhost: %s\n", words.c_str()); };
  return wait;
}

SyncReport removeAll(const SyncInvocation &invocation) {
  SyncReport report;
  report.effect = invocation.dryRun ? Effect::OnlyPlan : Effect::Apply;
  for (const TargetFolder &target : invocation.targets) {
    FolderReport &folder = report.folders.emplace_back(target, FolderOutcome{}, "");
    try {
      folder.outcome = clearFolder(target.path, report.effect, waitInWords());
    } catch (const std::exception &why) {
      folder.failure = why.what();
    }
  }
  return report;
}

// Adds the report to that of earlier rounds. Returns true if another offer of the source may help.
bool runOnce(const SyncInvocation &invocation, SkillSource &source, SyncReport &all) {
  SyncReport report;
  report.effect = invocation.dryRun ? Effect::OnlyPlan : Effect::Apply;
  Offer offer = source.offer();
  bool isStale = false;
  for (const TargetFolder &target : invocation.targets) {
    FolderReport &folder = report.folders.emplace_back(target, FolderOutcome{}, "");
    try {
      folder.outcome = syncFolder(target.path, source, offer, report.effect, waitInWords());
      isStale = isStale || folder.outcome.isStale;
    } catch (const std::exception &why) {
      folder.failure = why.what();
    }
  }
  report.leftOut = std::move(offer.leftOut);
  report.whyIncomplete = std::move(offer.whyIncomplete);
  all = afterEarlier(std::move(report), all);
  return isStale;
}

SyncReport run(const SyncInvocation &invocation, SkillSource &source) {
  SyncReport report;
  bool isStale = runOnce(invocation, source, report);
  for (int round = 1; isStale && round < maxRounds; ++round) {
    try {
      isStale = runOnce(invocation, source, report);
    } catch (const std::exception &why) { // the first round is reported nevertheless
      report.leftOut.push_back({"", std::string("the source cannot be read again: ") + why.what()});
      break;
    }
  }
  return report;
}

void print(const SyncReport &report, bool json) {
  if (json)
    app::printJson(asJson(report));
  else
    printShown(stdout, "%s", asText(report).c_str());
  std::fflush(stdout);
}

// Goes on until a signal ends the process. Prints each round that has changed a folder, or that
// differs from the one before.
[[noreturn]] void follow(const SyncInvocation &invocation, SkillSource &source) {
  std::string lastText, lastFailure;
  for (;;) {
    try {
      const SyncReport report = run(invocation, source);
      if (const std::string text = asText(report); text != lastText || hasChanged(report)) {
        print(report, invocation.json);
        lastText = text;
      }
      lastFailure.clear();
    } catch (const std::exception &why) {
      if (lastFailure != why.what()) printShown(stderr, "skillhost: %s\n", why.what());
      lastFailure = why.what();
    }
    source.awaitChange(invocation.interval);
  }
}

int runFrom(const SyncInvocation &invocation, SkillSource &source) {
  if (invocation.follow) follow(invocation, source);
  const SyncReport report = run(invocation, source);
  print(report, invocation.json);
  return exitCodeOf(report);
}

// See exitCodeOf() for the exit code.
int syncSkills(const app::ParsedArguments &given, const app::Surroundings &surroundings) {
  const Result<SyncInvocation> invocation = syncInvocation(given, surroundings);
  if (!invocation) return programs::refuse(invocation.failure());
  if (invocation->remove) {
    const SyncReport report = removeAll(*invocation);
    print(report, invocation->json);
    return exitCodeOf(report);
  }
  if (invocation->server) {
    const app::Logging logging(invocation->log, surroundings);
    constexpr int neverStopped = -1;
    ConnectSettings server = *invocation->server;
    server.greeting = server.patience; // waits for the server's own answer
    const auto source =
        serverSource(remoteServer(server, neverStopped), server.url, server.version);
    return runFrom(*invocation, *source);
  }
  const Result<app::KnownConfiguration> known = app::knownConfiguration(given, surroundings);
  if (!known) return programs::refuse(known.failure());
  const app::CommandLog log(*known, surroundings);
  const bool areUsersFolders = given.has("--agent") && !given.has("--project");
  const LoadedSources sources{placesOf(*known),
                              areUsersFolders ? "" : surroundings.workingDirectory};
  const auto source =
      localSource(known->configuration, surroundings.executable,
                  [sources](const std::string &folder) { return localOriginOf(sources, folder); });
  return runFrom(*invocation, *source);
}

} // namespace
} // namespace skillhost::sync

namespace skillhost::app {

CatalogueCommand syncCommand() { return {{sync::syncDescription()}, sync::syncSkills}; }

} // namespace skillhost::app
