// SPDX-License-Identifier: Apache-2.0
#include "mcp/view_indexes.hpp"

#include "base/log.hpp"

#include <pthread.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace skillhost {

ViewIndexes::ViewIndexes(Library &library, std::chrono::milliseconds deadline, Describe describe,
                         Capacity capacity, SearchFloorPointer floor)
    : library_(library), deadline_(deadline), describe_(std::move(describe)), capacity_(capacity),
      floor_(std::move(floor)) {}

ViewIndexes::ViewIndexes(Library &library, std::chrono::milliseconds deadline, Describe describe,
                         SearchFloorPointer floor)
    : ViewIndexes(library, deadline, std::move(describe), Capacity{}, std::move(floor)) {}

ViewIndexes::~ViewIndexes() { stop(); }

void ViewIndexes::setBackendFactory(Make make) {
  const std::scoped_lock lock(mutex_);
  make_ = std::move(make);
  if (!views_.empty()) wake();
}

void ViewIndexes::setVisibility(const Visibility &visibility) {
  {
    const std::scoped_lock lock(mutex_);
    visibility_ = &visibility;
  }
  // Anonymous callers and most others use this index, so it is made before they ask.
  const Visibility::Key key = visibility.keyOf(nullptr);
  if (!Visibility::seesAll(key)) indexFor(key);
}

ViewIndexes::IndexPointer ViewIndexes::indexFor(const Visibility::Key &key) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = findView(key); found != views_.end()) {
    found->lastAsked = std::chrono::steady_clock::now();
    std::rotate(found, found + 1, views_.end());
    return views_.back().index;
  }
  const auto index = std::make_shared<Index>(deadline_, usualRetries, floor_);
  endUnneededViews(capacity_.usual - 1);
  if (stopping_ || views_.size() >= capacity_.max) {
    index->attach(Failure{Fault::Unavailable,
                          stopping_
                              ? "the server is stopping"
                              : "too many groups of callers see different skills: try again"});
    return index;
  }
  // Runs on a timer's or an executor's thread.
  index->onLost([this, weak = std::weak_ptr<Index>(index)] {
    const std::scoped_lock held(mutex_);
    const IndexPointer lost = weak.lock();
    for (View &view : views_)
      if (view.index == lost) view.isDue = true;
    wake();
  });
  views_.push_back({key, index});
  wake();
  return index;
}

ViewIndexes::IndexPointer ViewIndexes::find(const Visibility::Key &key) {
  const std::scoped_lock lock(mutex_);
  const auto found = findView(key);
  return found == views_.end() ? nullptr : found->index;
}

// The caller holds the lock.
std::vector<ViewIndexes::View>::iterator ViewIndexes::findView(const Visibility::Key &key) {
  return std::find_if(views_.begin(), views_.end(),
                      [&](const View &view) { return view.key == key; });
}

// True if a caller may wait until the index is filled, or for its answer; see Capacity. The caller
// holds the lock.
bool ViewIndexes::isNeeded(const View &view) const {
  const IndexProgress progress = view.index->progress();
  return (!progress.committed && !progress.failed) ||
         std::chrono::steady_clock::now() - view.lastAsked < capacity_.neededFor;
}

// Leaves at most `maxViews` views, and those that are needed. The caller holds the lock.
void ViewIndexes::endUnneededViews(std::size_t maxViews) {
  for (auto view = views_.begin(); view != views_.end() && views_.size() > maxViews;) {
    if (isNeeded(*view)) {
      ++view;
      continue;
    }
    indexesToStop_.push_back(std::move(view->index));
    view = views_.erase(view);
  }
  if (!indexesToStop_.empty()) wake();
}

void ViewIndexes::catalogueChanged() {
  std::unique_lock lock(mutex_);
  if (visibility_ == nullptr || stopping_) return;
  for (View &view : views_) view.isDue = true;
  endOutdatedViews(lock);
  if (!views_.empty() || !indexesToStop_.empty()) wake();
}

// Ends the views of old rules, and makes the view for callers who satisfy none of the new rules.
// The caller holds the lock, which is released while that view is made.
void ViewIndexes::endOutdatedViews(std::unique_lock<std::mutex> &lock) {
  std::erase_if(views_, [&](View &view) {
    if (visibility_->isCurrent(view.key)) return false;
    indexesToStop_.push_back(std::move(view.index));
    return true;
  });
  const Visibility::Key nobodys = visibility_->keyOf(nullptr);
  if (Visibility::seesAll(nobodys)) return;
  lock.unlock();
  indexFor(nobodys);
  lock.lock();
}

void ViewIndexes::expectUpdate() {
  const std::scoped_lock filling(filling_);
  const std::scoped_lock lock(mutex_);
  for (const View &view : views_) view.index->expectUpdate();
}

void ViewIndexes::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  std::vector<IndexPointer> all;
  {
    const std::scoped_lock lock(mutex_);
    all = std::exchange(indexesToStop_, {});
    for (View &view : std::exchange(views_, {})) all.push_back(std::move(view.index));
  }
  for (const IndexPointer &index : all) index->stop();
}

// The caller holds the lock. The thread starts with the first view, because most servers hide
// nothing.
void ViewIndexes::wake() {
  if (!thread_.joinable() && !stopping_) thread_ = std::thread([this] { work(); });
  wake_.notify_all();
}

void ViewIndexes::work() {
  pthread_setname_np(pthread_self(), "view-indexes");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (!indexesToStop_.empty()) {
      const auto ended = std::exchange(indexesToStop_, {});
      lock.unlock();
      for (const IndexPointer &index : ended) index->stop();
      lock.lock();
      continue;
    }
    const auto next =
        !make_ ? views_.end() : std::find_if(views_.begin(), views_.end(), [](const View &view) {
          return view.isDue || !view.isAttached;
        });
    if (next == views_.end()) {
      if (views_.size() <= capacity_.usual) {
        wake_.wait(lock);
      } else {
        wake_.wait_for(lock, std::max(capacity_.neededFor, std::chrono::milliseconds(100)));
        endUnneededViews(capacity_.usual);
      }
      continue;
    }
    const IndexPointer index = next->index;
    bool isAttached = std::exchange(next->isAttached, true);
    next->isDue = false;
    try {
      const View view{next->key, index, true, false}; // the list may change meanwhile
      lock.unlock();
      if (!isAttached) attach(view, make_); // no lock: it is set only once
      isAttached = true;
      fill(view);
      lock.lock();
    } catch (const std::exception &why) { // no memory: it is tried again
      log::failure("search", {"the index of what some callers see could not be filled"}, why);
      if (!lock.owns_lock()) lock.lock();
      for (View &view : views_)
        if (view.index == index) {
          view.isDue = true;
          view.isAttached = isAttached;
        }
      wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; });
    }
  }
}

void ViewIndexes::attach(const View &view, const Make &make) {
  Result<std::shared_ptr<SearchBackend>> backend = make(view.key.mark());
  const bool isThere = static_cast<bool>(backend);
  view.index->attach(std::move(backend));
  if (isThere) return;
  // The next indexFor() with this key makes a new index, and so tries again to make a backend.
  const std::scoped_lock lock(mutex_);
  std::erase_if(views_, [&](const View &one) { return one.index == view.index; });
}

void ViewIndexes::fill(const View &view) {
  const std::scoped_lock filling(filling_);
  const auto seen = Visibility::view(library_.catalogue(), view.key);
  view.index->update(describe_(seen), std::to_string(seen->generation()));
}

} // namespace skillhost
