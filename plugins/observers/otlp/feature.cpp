// SPDX-License-Identifier: Apache-2.0
#include "app/observer_feature.hpp"
#include "configured.hpp"
#include "exporter.hpp"

#include <utility>

namespace skillhost::app {
namespace {

// Receives calls as lines of the log, and reads the metrics itself.
class OtlpFeature final : public ObserverFeature {
public:
  explicit OtlpFeature(telemetry::Settings settings) : exporter_(std::move(settings)) {}

private:
  telemetry::Exporter exporter_;
};

std::unique_ptr<ObserverFeature> makeOtlp(const Configuration &configuration) {
  auto settings = exporterSettings(configuration);
  return settings ? std::make_unique<OtlpFeature>(*std::move(settings)) : nullptr;
}

} // namespace

ObserverFeatureKind otlpFeature() {
  return {.name = "otlp", .make = makeOtlp, .receivesLog = true};
}

} // namespace skillhost::app
