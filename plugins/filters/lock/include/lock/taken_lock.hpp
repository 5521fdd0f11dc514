// SPDX-License-Identifier: Apache-2.0
// From what a source serves now to its entry in a lock.
#pragma once

#include "lock/skills_lock.hpp"
#include "plugin/source.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost {

// What a source serves now.
struct TakenLock {
  SourceLock lock;               // without the plugin's name
  std::vector<std::string> left; // skills that are not in it, and why: "pdf: a.bin: too large"
};
// Lists the source and reads all of it. Fails when the source does, Stale when it changed
// meanwhile.
void takeLock(const std::shared_ptr<Source> &source, const CallOptions &options,
              Answer<TakenLock> answer);

} // namespace skillhost
