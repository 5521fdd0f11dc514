// SPDX-License-Identifier: Apache-2.0
// Uses that wait to be written. Equal uses of one second are one entry with a count, so that a busy
// server increments a number instead of copying texts for each call. One thread at a time.
#pragma once

#include "usage/use.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace skillhost {

struct UsageEntry {
  UseSubject<std::string> subject;
  std::string text;                         // an entry with a text stands for one use only
  std::int64_t time = 0;                    // of the newest use, in Unix milliseconds
  std::int64_t count = 1, microseconds = 0; // of all uses together
};

// A keyed hash of the fields that distinguish uses. A client chooses its own name, and must not be
// able to choose names whose entries are slow to find. Any thread.
class SubjectHash {
public:
  SubjectHash(); // throws like fillRandom()
  std::uint64_t of(const UseSubject<std::string_view> &subject) const noexcept;

private:
  std::uint64_t start_ = 0, factor_ = 1;
};

class UsageQueue {
public:
  enum class Added : std::uint8_t { Merged, Appended, QueueFull };

  // Adds a use. There are at most `maxEntries` entries, but a use that equals one of them is still
  // added to it. If it throws std::bad_alloc, nothing has changed. `hash` is that of its subject.
  Added add(const UseView &use, std::uint64_t hash, std::size_t maxEntries);
  std::size_t size() const noexcept { return entries_.size(); }
  bool isEmpty() const noexcept { return entries_.empty(); }
  // Returns the entries in the order in which they began.
  std::deque<UsageEntry> &entries() noexcept { return entries_; }
  void swap(UsageQueue &other) noexcept;

private:
  std::deque<UsageEntry> entries_; // grows without moving its elements
  // The last entry for each hash of a subject, to which others may be added. If two subjects have
  // the same hash, they replace each other here: there are more entries than necessary, but they
  // are correct.
  std::unordered_map<std::uint64_t, UsageEntry *> last_;
};

} // namespace skillhost
