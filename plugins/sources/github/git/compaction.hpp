// SPDX-License-Identifier: Apache-2.0
// Many packs become one. Each fetch adds a pack, and every pack makes each later look for an object
// longer; a host that follows a busy repository for months would have thousands.
#pragma once

#include "git/object_store.hpp"

#include <cstddef>
#include <functional>

namespace skillhost::github {

// Nothing is done with fewer packs.
constexpr std::size_t mostPacks = 50;

// Every object stays, and those who read at this moment are not disturbed. True when it was done.
// Throws skh::Error(SKH_UNAVAILABLE) when the disk refuses, and what `checkpoint` throws; all is
// then as it was.
bool compact(ObjectStore &store, const std::function<void()> &checkpoint);

} // namespace skillhost::github
