// SPDX-License-Identifier: Apache-2.0
#include "features.hpp"

#include "audit_file.hpp"
#include "base/log.hpp"
#include "ground/secret.hpp"
#include "state/shared_state.hpp"
#include "telemetry.hpp"
#include "usage/usage_recorder.hpp"
#include "usage/usage_resource.hpp"
#include "usage_settings.hpp"
#include "version_recorder.hpp"
#include "version_resources.hpp"
#include "version_settings.hpp"

#include <chrono>
#include <utility>

namespace skillhost::app {
namespace {

// Returns null if nothing is recorded.
std::shared_ptr<UsageRecorder> usageRecorder(const Configuration &configuration) {
  if (!configuration.usage.enabled) return nullptr;
  UsageSettings settings = usageSettings(configuration);
  if (settings.path.empty()) {
    log::info("usage", "what calls do is not recorded: neither XDG_CACHE_HOME nor HOME is "
                       "set; set usage.path, or usage.enabled to false");
    return nullptr;
  }
  // This key gives a person the same hash in the files of all replicas.
  const StateConfiguration &state = configuration.state;
  if (state.isShared(configuration.transport) && state.secret)
    settings.key = keyOfService(Secret(*state.secret), "principals in the figures of use");
  return std::make_shared<UsageRecorder>(std::move(settings));
}

// Returns null if no versions are kept. Only a server over HTTP keeps them: its managers have the
// console, or read skillhost://versions/….
std::shared_ptr<VersionRecorder> versionRecorder(const Configuration &configuration) {
  if (configuration.transport != Transport::Http || !configuration.versions.enabled) return nullptr;
  VersionSettings settings = versionSettings(configuration);
  if (settings.path.empty()) {
    log::info("versions", "versions of skills are not kept: neither XDG_CACHE_HOME nor HOME "
                          "is set; set versions.path, or versions.enabled to false");
    return nullptr;
  }
  auto versions = std::make_shared<VersionRecorder>(std::move(settings));
  versions->follow(versionMarks(configuration));
  return versions;
}

} // namespace

Features makeFeatures(const Configuration &configuration) {
  Features made;
  made.first = makeExporter(configuration); // hears what the others log
  std::vector<std::shared_ptr<Observer>> observers;
  std::shared_ptr<AuditFile> audit;
  if (configuration.access.auditLog) {
    audit = std::make_shared<AuditFile>(*configuration.access.auditLog);
    observers.push_back(audit);
  }
  const auto versions = versionRecorder(configuration);
  if (versions) {
    observers.push_back(versions);
    made.follow = [versions](const Configuration &next) {
      return [versions, marks = versionMarks(next)] { versions->follow(marks); };
    };
  }
  const auto usage = usageRecorder(configuration);
  if (usage) observers.push_back(usage);
  // Plugins are destroyed after this. One that hangs then ends the process, and with it what waits.
  made.stop = [versions, usage, audit] {
    constexpr std::chrono::milliseconds longest{500};
    if (versions) versions->stop();
    if (usage) usage->flush(longest);
    if (audit) audit->flush(longest);
  };
  made.observers = Observers(std::move(observers));
  made.resources = {usageResource(usage), versionResources(versions)};
  return made;
}

} // namespace skillhost::app
