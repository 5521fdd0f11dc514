// SPDX-License-Identifier: Apache-2.0
// What the replicas of a service share, as the configuration names it.
#pragma once

#include "app/configuration.hpp"
#include "plugin/registry.hpp"
#include "state/shared_state.hpp"

#include <chrono>
#include <memory>

namespace skillhost::app {

// Null: each process keeps its own. The engine has not been asked yet. Throws std::runtime_error
// when the plugin is missing or cannot be made, or a setting is wrong, and names the key.
std::shared_ptr<SharedState> makeSharedState(const Configuration &configuration,
                                             PluginRegistry &plugins);

// Asks whether the engine can do all that is needed, and waits for it. An engine that is away is
// the failure, which is for the operator: the server starts without it. Throws std::runtime_error,
// naming the key, when state.config is what is wrong.
Status checkSharedState(const Configuration &configuration, SharedState &state);

} // namespace skillhost::app
