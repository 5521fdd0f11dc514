// SPDX-License-Identifier: Apache-2.0
// Content that was prepared for readers, kept while it is of use: least recently used goes first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace skillhost {

// A skill as it is loaded: serialised once, sent many times.
struct PreparedContent {
  std::shared_ptr<const std::string> jsonText; // the rendered document as a JSON string
  std::string digest;                          // "sha256:…" of the raw bytes
  std::size_t rawBytes = 0;
  bool truncated = false;
};

// Any thread. Holds at most `bytes` and `entries`; what is larger than all of it is not kept.
class ContentCache {
public:
  ContentCache(std::size_t bytes, std::size_t entries) : maxBytes_(bytes), maxEntries_(entries) {}

  std::shared_ptr<const PreparedContent> get(std::string_view key);
  void put(std::string key, std::shared_ptr<const PreparedContent> content);

  struct Statistics {
    std::size_t entries = 0, bytes = 0, maxBytes = 0;
    std::uint64_t hits = 0, misses = 0, evictions = 0;
  };
  Statistics statistics() const;

private:
  struct Entry {
    std::string key;
    std::shared_ptr<const PreparedContent> content;
    std::size_t bytes;
  };
  using Order = std::list<Entry>; // most recently used first
  void drop(Order::iterator entry);

  const std::size_t maxBytes_, maxEntries_;
  mutable std::mutex mutex_;
  Order order_;
  std::unordered_map<std::string_view, Order::iterator> byKey_; // keys live in order_
  std::size_t bytes_ = 0;
  Statistics counts_;
};

} // namespace skillhost
