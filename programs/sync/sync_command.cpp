// SPDX-License-Identifier: Apache-2.0
#include "catalogue_command.hpp"
#include "ground/shown.hpp"
#include "json_output.hpp"
#include "known_configuration.hpp"
#include "local_source.hpp"
#include "program.hpp"
#include "report.hpp"
#include "server_source.hpp"
#include "sync_options.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace skillhost::sync {
namespace {

constexpr int maxRounds = 3; // for a source that changes while it is read

// Returns the path as it is the same for everybody who works on a project, if it lies there.
std::string pathInProject(const std::string &path, const std::string &project) {
  const std::filesystem::path relative = std::filesystem::path(path).lexically_relative(project);
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

// Returns the name of the configuration's sources in a manifest.
std::string originOf(const app::KnownConfiguration &known, const app::ParsedArguments &given,
                     const std::string &project) {
  if (!given.has("--skills-dir") && !known.file.empty()) return pathInProject(known.file, project);
  std::string origin;
  for (const app::SourceConfiguration &source : known.configuration.sources)
    origin += (origin.empty() ? "the sources " : ", ") + source.name;
  return origin.empty() ? "no sources" : origin;
}

SyncReport removeAll(const SyncInvocation &invocation) {
  SyncReport report;
  report.effect = invocation.dryRun ? Effect::OnlyPlan : Effect::Apply;
  for (const TargetFolder &target : invocation.targets) {
    FolderReport &folder = report.folders.emplace_back(target, FolderOutcome{}, "");
    try {
      folder.outcome = clearFolder(target.path, report.effect);
    } catch (const std::exception &why) {
      folder.failure = why.what();
    }
  }
  return report;
}

// Returns true if another offer of the source may help.
bool runOnce(const SyncInvocation &invocation, SkillSource &source, SyncReport &report) {
  report = {};
  report.effect = invocation.dryRun ? Effect::OnlyPlan : Effect::Apply;
  Offer offer = source.offer();
  bool isStale = false;
  for (const TargetFolder &target : invocation.targets) {
    FolderReport &folder = report.folders.emplace_back(target, FolderOutcome{}, "");
    try {
      folder.outcome = syncFolder(target.path, source, offer, report.effect);
      isStale = isStale || folder.outcome.isStale;
    } catch (const std::exception &why) {
      folder.failure = why.what();
    }
  }
  report.leftOut = std::move(offer.leftOut);
  report.whyIncomplete = std::move(offer.whyIncomplete);
  return isStale;
}

SyncReport run(const SyncInvocation &invocation, SkillSource &source) {
  SyncReport report;
  for (int round = 1; runOnce(invocation, source, report) && round < maxRounds; ++round) continue;
  return report;
}

void print(const SyncReport &report, bool json) {
  if (json)
    app::printJson(asJson(report));
  else
    printShown(stdout, "%s", asText(report).c_str());
  std::fflush(stdout);
}

// Goes on until a signal ends the process. Prints each round that differs from the one before.
[[noreturn]] void follow(const SyncInvocation &invocation, SkillSource &source) {
  std::string lastText, lastFailure;
  for (;;) {
    try {
      const SyncReport report = run(invocation, source);
      if (const std::string text = asText(report); text != lastText) {
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
  const auto source = localSource(known->configuration, surroundings.executable,
                                  originOf(*known, given, surroundings.workingDirectory));
  return runFrom(*invocation, *source);
}

} // namespace
} // namespace skillhost::sync

namespace skillhost::app {

CatalogueCommand syncCommand() { return {{sync::syncDescription()}, sync::syncSkills}; }

} // namespace skillhost::app
