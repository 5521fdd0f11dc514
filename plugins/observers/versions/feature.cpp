// SPDX-License-Identifier: Apache-2.0
#include "app/observer_feature.hpp"
#include "base/log.hpp"
#include "configured.hpp"
#include "version_recorder.hpp"
#include "version_resources.hpp"

#include <utility>

namespace skillhost::app {
namespace {

class VersionsFeature final : public ObserverFeature {
public:
  // If `recorder` is null, no versions are kept, and the resources say so.
  explicit VersionsFeature(std::shared_ptr<VersionRecorder> recorder)
      : recorder_(std::move(recorder)) {}

  std::shared_ptr<Observer> observer() override { return recorder_; }
  std::vector<OwnResource> resources() override { return {versionResources(recorder_)}; }
  std::function<void()> follow(const Configuration &next) override {
    if (!recorder_) return {};
    return [recorder = recorder_, marks = versionMarks(next)] { recorder->follow(marks); };
  }
  void stop() override {
    if (recorder_) recorder_->stop();
  }

private:
  const std::shared_ptr<VersionRecorder> recorder_;
};

// Returns null if no versions are kept. Only a server over HTTP keeps them: its managers have the
// console, or read skillhost://versions/….
std::shared_ptr<VersionRecorder> versionRecorder(const Configuration &configuration) {
  if (configuration.transport != Transport::Http ||
      !configuration.features.flag("versions.enabled"))
    return nullptr;
  VersionSettings settings = versionSettings(configuration);
  if (settings.path.empty()) {
    log::info("versions", "versions of skills are not kept, because neither XDG_CACHE_HOME nor "
                          "HOME is set: set versions.path, or set versions.enabled to false");
    return nullptr;
  }
  auto recorder = std::make_shared<VersionRecorder>(std::move(settings));
  recorder->follow(versionMarks(configuration));
  return recorder;
}

std::unique_ptr<ObserverFeature> makeVersions(const Configuration &configuration) {
  return std::make_unique<VersionsFeature>(versionRecorder(configuration));
}

} // namespace

ObserverFeatureKind versionsFeature() { return {.name = "versions", .make = makeVersions}; }

} // namespace skillhost::app
