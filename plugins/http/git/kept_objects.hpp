// SPDX-License-Identifier: Apache-2.0
// Keeps the objects of skills in the cache of the host, under the ids of their trees, from the
// moment when a skill is read for a commit until a client fetches this commit.
#pragma once

#include "base/cache.hpp"
#include "objects.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace skillhost::git {

// The objects of a skill, as makeFolder() returns them.
using SkillContents = std::shared_ptr<const std::vector<Object>>;

// Returns null if they are not in the cache (any more).
SkillContents keptContents(Cache &cache, const ObjectId &tree);
// Returns the bytes that the cache then counts.
std::size_t bytesOf(const std::vector<Object> &objects);
void keepContents(Cache &cache, const SkillContents &contents);

} // namespace skillhost::git
