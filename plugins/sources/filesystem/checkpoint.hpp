// SPDX-License-Identifier: Apache-2.0
// How long work is told that nobody wants its result any more.
#pragma once

#include <functional>

namespace skillhost::filesystem {

// Called at least every few hundred steps, from any thread of the work; throws to leave it.
using Checkpoint = std::function<void()>;

} // namespace skillhost::filesystem
