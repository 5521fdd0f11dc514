// SPDX-License-Identifier: Apache-2.0
// Joins many packs into one. Each fetch adds a pack, and every pack slows down the search for an
// object. A host that follows a busy repository for months would have thousands.
#pragma once

#include "git/object_store.hpp"

#include <cstddef>
#include <functional>

namespace skillhost::github {

// Fewer packs are left as they are.
constexpr std::size_t maxPacks = 50;

// Joins the packs, keeps every object and does not disturb concurrent readers. Returns true if it
// joined packs. Throws skh::Error(SKH_UNAVAILABLE) if the disk refuses, and what `checkpoint`
// throws; the store is then unchanged.
bool compact(ObjectStore &store, const std::function<void()> &checkpoint);

} // namespace skillhost::github
