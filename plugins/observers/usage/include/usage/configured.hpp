// SPDX-License-Identifier: Apache-2.0
// What the configuration says of the figures of use.
#pragma once

#include "app/configuration.hpp"
#include "usage/settings.hpp"

namespace skillhost::app {

// The path is that of usage.path, else of usage.sqlite in the cache folder; empty when there is
// neither.
UsageSettings usageSettings(const Configuration &configuration);

} // namespace skillhost::app
