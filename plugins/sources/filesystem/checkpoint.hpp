// SPDX-License-Identifier: Apache-2.0
// How long work is told that nobody wants its result any more.
#pragma once

#include <cstddef>
#include <functional>

namespace skillhost::filesystem {

// Called at least every few hundred steps, from any thread of the work; throws to leave it.
using Checkpoint = std::function<void()>;

// Told now and then how many folders have been looked into, on the thread that has begun the work.
// What it throws leaves the work; may be empty.
using FoldersSeen = std::function<void(std::size_t folders)>;

} // namespace skillhost::filesystem
