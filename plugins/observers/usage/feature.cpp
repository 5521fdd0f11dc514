// SPDX-License-Identifier: Apache-2.0
#include "app/observer_feature.hpp"
#include "base/log.hpp"
#include "configuration/places.hpp"
#include "ground/secret.hpp"
#include "ground/service_key.hpp"
#include "usage/configured.hpp"
#include "usage/usage_recorder.hpp"
#include "usage/usage_resource.hpp"

#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace skillhost::app {
namespace {

class UsageFeature final : public ObserverFeature {
public:
  // If `recorder` is null, nothing is recorded, and the resource says so.
  explicit UsageFeature(std::shared_ptr<UsageRecorder> recorder) : recorder_(std::move(recorder)) {}

  std::shared_ptr<Observer> observer() override { return recorder_; }
  std::vector<OwnResource> resources() override { return {usageResource(recorder_)}; }
  void flush(std::chrono::milliseconds maxWait) override {
    if (recorder_) recorder_->flush(maxWait);
  }

private:
  const std::shared_ptr<UsageRecorder> recorder_;
};

// Each of the two would take the file for one of another program, and one of them would record
// nothing.
void refuseFileOfVersions(const Configuration &configuration, const std::string &path) {
  constexpr std::string_view key = "versions.path";
  const FeatureSettings &from = configuration.features;
  if (!FeatureSettings::isDeclared(key) || !from.flag("versions.enabled")) return;
  const std::optional<std::string> other = from.textIfAny(key);
  std::error_code ignored;
  const auto resolved = [&](const std::string &one) {
    return std::filesystem::weakly_canonical(one, ignored);
  };
  if (other && (path == *other || resolved(path) == resolved(*other)))
    throw std::runtime_error(
        located(configuration, "usage",
                {{"path", path + " is also the file of versions.path: name another one"}}));
}

// Returns null if nothing is recorded.
std::shared_ptr<UsageRecorder> usageRecorder(const Configuration &configuration) {
  if (!configuration.features.flag("usage.enabled")) return nullptr;
  UsageSettings settings = usageSettings(configuration);
  if (settings.path.empty()) {
    log::info("usage", "usage is not recorded, because neither XDG_CACHE_HOME nor HOME is set: set "
                       "usage.path, or set usage.enabled to false");
    return nullptr;
  }
  refuseFileOfVersions(configuration, settings.path);
  // With this key, a person has the same hash in the files of all replicas.
  const StateConfiguration &state = configuration.state;
  if (state.isShared(configuration.transport) && state.secret)
    settings.key = keyOfService(Secret(*state.secret), "principals in the figures of use");
  return std::make_shared<UsageRecorder>(std::move(settings));
}

std::unique_ptr<ObserverFeature> makeUsage(const Configuration &configuration) {
  return std::make_unique<UsageFeature>(usageRecorder(configuration));
}

} // namespace

ObserverFeatureKind usageFeature() { return {.name = "usage", .make = makeUsage}; }

} // namespace skillhost::app
