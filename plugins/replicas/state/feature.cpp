// SPDX-License-Identifier: Apache-2.0
#include "state/shared_state.hpp"

#include "app/host_features.hpp"
#include "base/log.hpp"
#include "configuration/places.hpp"
#include "instance_configuration.hpp"

#include <stdexcept>
#include <utility>

namespace skillhost::app {
namespace {

// Adds the place in the configuration to errors about the configuration of the engine.
class ConfiguredState final : public SharedState {
public:
  ConfiguredState(const Configuration &configuration, std::shared_ptr<StateBackend> backend,
                  SharedStateSettings settings)
      : SharedState(std::move(backend), std::move(settings)) {
    named_.places = configuration.places;
    named_.secrets = configuration.secrets; // to mask them
    named_.state.prefix = configuration.state.prefix;
    named_.state.plugin = configuration.state.plugin;
  }

  Status check(std::chrono::milliseconds span) override {
    Status checked = SharedState::check(span);
    if (!checked && checked.failure().fault == Fault::InvalidInput)
      throw std::runtime_error(located(named_, "state", {{"config", checked.failure().message}}));
    if (checked)
      log::info("state", "this is replica " + replica() + " of those that share " +
                             named_.state.prefix + " by " + named_.state.plugin);
    return checked;
  }

private:
  Configuration named_; // has what the messages of check() need, and nothing else
};

std::shared_ptr<SharedStore> makeSharedState(const Configuration &configuration,
                                             PluginRegistry &plugins) {
  const StateConfiguration &state = configuration.state;
  SettingProblems problems;
  InstanceConfiguration instance = instanceOf("state", state);
  instance.keyPrefix = state.prefix + ':';
  Result<std::shared_ptr<StateBackend>> made = plugins.makeState(instance, &problems);
  if (!problems.empty()) throw std::runtime_error(located(configuration, "state", problems));
  if (!made) throw std::runtime_error("state.plugin: " + made.failure().message);
  SharedStateSettings settings;
  settings.prefix = state.prefix;
  settings.secret = Secret(*state.secret);
  return std::make_shared<ConfiguredState>(configuration, *std::move(made), std::move(settings));
}

} // namespace

SharedStoreKind sharedState() { return {.name = "state", .make = makeSharedState}; }

} // namespace skillhost::app
