// SPDX-License-Identifier: Apache-2.0
#include "shared_state.hpp"

#include "base/log.hpp"
#include "configuration/places.hpp"
#include "instance_configuration.hpp"

#include <stdexcept>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::chrono::seconds engineDeadline{10}; // of the check at the start

} // namespace

std::shared_ptr<SharedState> makeSharedState(const Configuration &configuration,
                                             PluginRegistry &plugins) {
  const StateConfiguration &state = configuration.state;
  if (!state.isShared(Transport::Http)) return nullptr;
  SettingProblems problems;
  InstanceConfiguration instance = instanceOf("state", state);
  instance.keyPrefix = state.prefix + ':';
  Result<std::shared_ptr<StateBackend>> made = plugins.makeState(instance, &problems);
  if (!problems.empty()) throw std::runtime_error(located(configuration, "state", problems));
  if (!made) throw std::runtime_error("state.plugin: " + made.failure().message);
  SharedStateSettings settings;
  settings.prefix = state.prefix;
  settings.secret = Secret(*state.secret);
  return std::make_shared<SharedState>(*std::move(made), std::move(settings));
}

Status checkSharedState(const Configuration &configuration, SharedState &state) {
  Status checked = state.check(engineDeadline);
  if (!checked && checked.failure().fault == Fault::InvalidInput)
    throw std::runtime_error(
        located(configuration, "state", {{"config", checked.failure().message}}));
  if (checked)
    log::info("state", "this is replica " + state.replica() + " of those that share " +
                           configuration.state.prefix + " by " + configuration.state.plugin);
  return checked;
}

} // namespace skillhost::app
