// SPDX-License-Identifier: Apache-2.0
// Uses that wait to be written. Those of one second that are alike are one entry with their number,
// so that a busy server adds to what is there instead of copying texts for each call. One thread at
// a time.
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
  std::string text;                         // what has one is alone
  std::int64_t time = 0;                    // of the newest, Unix milliseconds
  std::int64_t count = 1, microseconds = 0; // of all of them
};

// A hash of what tells uses apart, by a secret: a client calls itself what it likes, and must not
// choose names whose entries are slow to be found. Any thread.
class SubjectHash {
public:
  SubjectHash(); // throws as fillRandom()
  std::uint64_t of(const UseSubject<std::string_view> &subject) const noexcept;

private:
  std::uint64_t start_ = 0, factor_ = 1;
};

class UsageQueue {
public:
  enum class Added : std::uint8_t { AsOneMore, AsEntry, NotForWantOfRoom };

  // At most `most` entries: what is like one of them is added to it all the same. All or nothing
  // where it throws std::bad_alloc. `hash` is that of its subject.
  Added add(const UseView &use, std::uint64_t hash, std::size_t most);
  std::size_t size() const noexcept { return entries_.size(); }
  bool isEmpty() const noexcept { return entries_.empty(); }
  // In the order in which they began.
  std::deque<UsageEntry> &entries() noexcept { return entries_; }
  void swap(UsageQueue &other) noexcept;

private:
  std::deque<UsageEntry> entries_; // grows without moving what is in it
  // By the hash of its subject the last entry that others may be added to. Two subjects of one hash
  // take it from each other: their entries are more than need be, and right.
  std::unordered_map<std::uint64_t, UsageEntry *> last_;
};

} // namespace skillhost
