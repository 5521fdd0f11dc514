// SPDX-License-Identifier: Apache-2.0
// Reads the settings of the usage figures from the configuration.
#pragma once

#include "app/configuration.hpp"
#include "usage/settings.hpp"

namespace skillhost::app {

// The path is usage.path, or usage.sqlite in the cache folder; empty if there is neither.
UsageSettings usageSettings(const Configuration &configuration);

} // namespace skillhost::app
