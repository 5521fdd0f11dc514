// SPDX-License-Identifier: Apache-2.0
#include "history.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::filesystem {

SnapshotPointer History::newest() const {
  const std::scoped_lock lock(mutex_);
  return newest_;
}

void History::add(SnapshotPointer snapshot) {
  const std::scoped_lock lock(mutex_);
  newest_.swap(snapshot); // what it was is destroyed after the lock
}

SnapshotPointer History::handOut() {
  const std::scoped_lock lock(mutex_);
  std::erase_if(handedOut_, [&](const SnapshotPointer &old) { return old->id == newest_->id; });
  handedOut_.push_back(newest_);
  if (handedOut_.size() > kept) handedOut_.pop_front();
  return newest_;
}

bool History::hasNews() const {
  const std::scoped_lock lock(mutex_);
  return newest_ && !handedOut_.empty() && handedOut_.back()->id != newest_->id;
}

SnapshotPointer History::find(std::string_view id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::find_if(handedOut_.begin(), handedOut_.end(),
                                  [&](const SnapshotPointer &old) { return old->id == id; });
  return found == handedOut_.end() ? nullptr : *found;
}

bool History::knew(std::string_view skill, std::string_view path) const {
  const std::scoped_lock lock(mutex_);
  return std::any_of(handedOut_.begin(), handedOut_.end(), [&](const SnapshotPointer &old) {
    return old->find(skill, path).document != nullptr;
  });
}

} // namespace skillhost::filesystem
