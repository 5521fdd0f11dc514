// SPDX-License-Identifier: Apache-2.0
// Keeps the newest snapshot of a source, and the last few that the host was given and may ask
// about.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace skillhost::snapshots {

// A Snapshot is immutable and has an `id`, which is equal for equal content. The history shares the
// given snapshots. Any thread may use it.
template <class Snapshot> class History {
public:
  using Pointer = std::shared_ptr<const Snapshot>;

  static constexpr std::size_t kept = 4; // snapshots given to the host

  // Returns nullptr before the first snapshot.
  Pointer newest() const {
    const std::scoped_lock lock(mutex_);
    return newest_;
  }
  // Makes the snapshot, which must not be nullptr, the newest. The previous one is dropped unless
  // the host was given it, because otherwise the host cannot name it.
  void add(Pointer snapshot) {
    const std::scoped_lock lock(mutex_);
    newest_.swap(snapshot); // the previous one is destroyed after the lock is released
  }
  // Returns the newest, for the host. There must be one.
  Pointer handOut() {
    Pointer oldest; // destroyed after the lock is released
    const std::scoped_lock lock(mutex_);
    std::erase_if(handedOut_, [&](const Pointer &old) { return old->id == newest_->id; });
    handedOut_.push_back(newest_);
    if (handedOut_.size() > kept) {
      oldest.swap(handedOut_.front());
      handedOut_.pop_front();
    }
    return newest_;
  }
  // True if the host was given a snapshot that is not the newest.
  bool hasNewer() const {
    const std::scoped_lock lock(mutex_);
    return newest_ && !handedOut_.empty() && handedOut_.back()->id != newest_->id;
  }
  // Returns a snapshot that the host was given; nullptr if it is not among the last few.
  Pointer find(std::string_view id) const {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(handedOut_.begin(), handedOut_.end(),
                                    [&](const Pointer &old) { return old->id == id; });
    return found == handedOut_.end() ? nullptr : *found;
  }
  // Returns those that the host was given, oldest first, and then the newest, which may be among
  // them.
  std::vector<Pointer> all() const {
    const std::scoped_lock lock(mutex_);
    std::vector<Pointer> all(handedOut_.begin(), handedOut_.end());
    if (newest_) all.push_back(newest_);
    return all;
  }

private:
  mutable std::mutex mutex_;
  Pointer newest_;
  std::deque<Pointer> handedOut_; // newest last, unique ids
};

} // namespace skillhost::snapshots
