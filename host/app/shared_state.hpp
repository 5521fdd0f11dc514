// SPDX-License-Identifier: Apache-2.0
// Makes the configured state that the replicas of a service share.
#pragma once

#include "app/configuration.hpp"
#include "plugin/registry.hpp"
#include "state/shared_state.hpp"

#include <chrono>
#include <memory>

namespace skillhost::app {

// Returns null if each process keeps its own state. The engine is not contacted yet. Throws
// std::runtime_error that names the key if the plugin is missing or cannot be made, or a setting is
// wrong.
std::shared_ptr<SharedState> makeSharedState(const Configuration &configuration,
                                             PluginRegistry &plugins);

// Asks whether the engine supports all operations, and waits for the answer. If the engine is
// unreachable, that is the failure, which is for the operator: the server starts without it. Throws
// std::runtime_error that names the key if state.config is wrong.
Status checkSharedState(const Configuration &configuration, SharedState &state);

} // namespace skillhost::app
