// SPDX-License-Identifier: Apache-2.0
// Lets long work learn that its result is no longer wanted.
#pragma once

#include <cstddef>
#include <functional>

namespace skillhost::filesystem {

// Called at least every few hundred steps, from any thread of the work. It throws to end the work.
using Checkpoint = std::function<void()>;

// Receives now and then the number of folders visited so far, on the thread that began the work. If
// it throws, the work ends. May be empty.
using FolderProgress = std::function<void(std::size_t folders)>;

} // namespace skillhost::filesystem
