// SPDX-License-Identifier: Apache-2.0
// Keeps two runs of sync from working in one folder at the same time.
#pragma once

#include "ground/descriptor.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace skillhost::sync {

struct LockWait {
  std::function<void(const std::string &words)> say = [](const std::string &) {};
  std::chrono::milliseconds beforeSaying{1'000}, atMost{120'000};
};

// Locks the folder until the descriptor is closed. If another process holds the lock, waits, and
// says which one after `beforeSaying`. Throws std::runtime_error if the folder cannot be locked, or
// is still locked after `atMost`.
Descriptor lockFolder(const std::string &folder, const LockWait &wait);

} // namespace skillhost::sync
