// SPDX-License-Identifier: Apache-2.0
// Makes the entry of a source in a lock from what the source serves now.
#pragma once

#include "lock/skills_lock.hpp"
#include "plugin/source.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost {

// The entry of a source in a lock, and the skills that it lacks.
struct TakenLock {
  SourceLock lock; // without the plugin's name
  // Skills without an entry, with the reason: "pdf: a.bin: too large".
  std::vector<std::string> left;
};
// Lists the source and reads all of its documents. Fails if the source fails, and with Stale if it
// changed meanwhile.
void takeLock(const std::shared_ptr<Source> &source, const CallOptions &options,
              ResultCallback<TakenLock> answer);

} // namespace skillhost
