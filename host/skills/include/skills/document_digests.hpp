// SPDX-License-Identifier: Apache-2.0
// From documents of a source to what a lock says of them, by reading each once.
#pragma once

#include "plugin/source.hpp"
#include "skills/skills_lock.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

using DocumentDigests = std::vector<Result<LockedDocument>>; // in step with the documents

LockedDocument digestOf(const Document &document, std::string_view bytes);

// Reads all of them, each of at most 64 MiB, and calls back once, on a thread of the executor.
void digestDocuments(Source &source, const CallOptions &options, std::vector<Document> documents,
                     std::function<void(DocumentDigests)> done);

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
