// SPDX-License-Identifier: Apache-2.0
// The newest snapshot of a source and the last few that the host was given, which it may still ask
// about.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace skillhost::snapshots {

// A Snapshot is immutable and has an `id`, equal for equal content. Shares what it is given. Any
// thread.
template <class Snapshot> class History {
public:
  using Pointer = std::shared_ptr<const Snapshot>;

  static constexpr std::size_t kept = 4; // snapshots given to the host

  // nullptr before the first.
  Pointer newest() const {
    const std::scoped_lock lock(mutex_);
    return newest_;
  }
  // Becomes the newest, and is not nullptr. The one before is forgotten unless it was handed out:
  // nobody can name it.
  void add(Pointer snapshot) {
    const std::scoped_lock lock(mutex_);
    newest_.swap(snapshot); // what it was is destroyed after the lock
  }
  // The newest, which the host is about to be given. There must be one.
  Pointer handOut() {
    Pointer oldest; // destroyed after the lock
    const std::scoped_lock lock(mutex_);
    std::erase_if(handedOut_, [&](const Pointer &old) { return old->id == newest_->id; });
    handedOut_.push_back(newest_);
    if (handedOut_.size() > kept) {
      oldest.swap(handedOut_.front());
      handedOut_.pop_front();
    }
    return newest_;
  }
  // True when the host was given something, and that is not the newest.
  bool hasNews() const {
    const std::scoped_lock lock(mutex_);
    return newest_ && !handedOut_.empty() && handedOut_.back()->id != newest_->id;
  }
  // One that was handed out; nullptr when it is not among the last few.
  Pointer find(std::string_view id) const {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(handedOut_.begin(), handedOut_.end(),
                                    [&](const Pointer &old) { return old->id == id; });
    return found == handedOut_.end() ? nullptr : *found;
  }
  // Those that were handed out, oldest first, and last the newest, which may be one of them.
  std::vector<Pointer> all() const {
    const std::scoped_lock lock(mutex_);
    std::vector<Pointer> all(handedOut_.begin(), handedOut_.end());
    if (newest_) all.push_back(newest_);
    return all;
  }

private:
  mutable std::mutex mutex_;
  Pointer newest_;
  std::deque<Pointer> handedOut_; // newest last, ids unique
};

} // namespace skillhost::snapshots
