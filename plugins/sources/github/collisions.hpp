// SPDX-License-Identifier: Apache-2.0
// From paths/collisions.hpp, where all sources share it, under the names of this plugin.
#pragma once

#include "paths/collisions.hpp"

namespace skillhost::github {

using paths::firstCollision;

} // namespace skillhost::github
