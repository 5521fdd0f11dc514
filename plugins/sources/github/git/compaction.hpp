// SPDX-License-Identifier: Apache-2.0
// Many packs become one. Each fetch adds a pack, and every pack makes each later look for an object
// longer; a host that follows a busy repository for months would have thousands.
#pragma once

#include "git/object_store.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::github {

// Nothing is done with fewer packs.
constexpr std::size_t mostPacks = 50;

// Keeps what the newest of `commits`, the first, leads to with all its history, and of each other
// one its own files; what nothing of that needs goes. Those who read at this moment are not
// disturbed. True when it was done. Throws skh::Error(SKH_UNAVAILABLE) when the disk refuses, and
// what `checkpoint` throws; everything is then still there.
bool compact(ObjectStore &store, const std::vector<std::string> &commits,
             const std::function<void()> &checkpoint);

} // namespace skillhost::github
