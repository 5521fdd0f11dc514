// SPDX-License-Identifier: Apache-2.0
#include "runtime/content_cache.hpp"

#include <utility>

namespace skillhost {

std::shared_ptr<const PreparedContent> ContentCache::get(std::string_view key) {
  const std::scoped_lock lock(mutex_);
  const auto found = byKey_.find(key);
  if (found == byKey_.end()) {
    ++counts_.misses;
    return nullptr;
  }
  ++counts_.hits;
  order_.splice(order_.begin(), order_, found->second);
  return found->second->content;
}

void ContentCache::put(std::string key, std::shared_ptr<const PreparedContent> content) {
  const std::size_t size =
      key.size() + content->jsonText->size() + content->digest.size() + sizeof(Entry);
  const std::scoped_lock lock(mutex_);
  if (const auto found = byKey_.find(key); found != byKey_.end()) drop(found->second);
  if (size > maxBytes_ || maxEntries_ == 0) return;
  while (bytes_ + size > maxBytes_ || order_.size() >= maxEntries_) {
    drop(std::prev(order_.end()));
    ++counts_.evictions;
  }
  order_.push_front({std::move(key), std::move(content), size});
  byKey_.emplace(order_.front().key, order_.begin());
  bytes_ += size;
}

void ContentCache::drop(Order::iterator entry) {
  bytes_ -= entry->bytes;
  byKey_.erase(entry->key);
  order_.erase(entry);
}

ContentCache::Statistics ContentCache::statistics() const {
  const std::scoped_lock lock(mutex_);
  Statistics now = counts_;
  now.entries = order_.size();
  now.bytes = bytes_;
  now.maxBytes = maxBytes_;
  return now;
}

} // namespace skillhost
