// SPDX-License-Identifier: Apache-2.0
#include "history.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::github {

SnapshotPointer History::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

void History::add(SnapshotPointer snapshot) {
  const std::lock_guard lock(mutex_);
  newest_.swap(snapshot); // what it was is destroyed after the lock
}

SnapshotPointer History::handOut() {
  const std::lock_guard lock(mutex_);
  std::erase_if(handedOut_, [&](const SnapshotPointer &old) { return old->id == newest_->id; });
  handedOut_.push_back(newest_);
  if (handedOut_.size() > kept) handedOut_.pop_front();
  return newest_;
}

bool History::hasNews() const {
  const std::lock_guard lock(mutex_);
  return newest_ && !handedOut_.empty() && handedOut_.back()->id != newest_->id;
}

SnapshotPointer History::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(handedOut_.begin(), handedOut_.end(),
                                  [&](const SnapshotPointer &old) { return old->id == id; });
  return found == handedOut_.end() ? nullptr : *found;
}

std::shared_ptr<const StoredDocument> History::find(std::string_view skill, std::string_view path,
                                                    std::string_view revision, bool &knew) const {
  const std::lock_guard lock(mutex_);
  std::vector<SnapshotPointer> all(handedOut_.begin(), handedOut_.end());
  if (newest_) all.push_back(newest_);
  for (const SnapshotPointer &one : all) {
    const StoredDocument *const document = one->find(skill, path);
    knew = knew || document != nullptr;
    if (document != nullptr && document->blob == revision) return {one, document};
  }
  return nullptr;
}

} // namespace skillhost::github
