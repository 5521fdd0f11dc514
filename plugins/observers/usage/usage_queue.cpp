// SPDX-License-Identifier: Apache-2.0
#include "usage_queue.hpp"

#include "ground/random.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::int64_t slice = 1'000; // in milliseconds; reports show times in seconds

bool isOf(const UsageEntry &entry, const UseView &use) {
  const UseSubject<std::string> &own = entry.subject;
  return entry.time / slice == use.time / slice && own.kind == use.kind && own.path == use.path &&
         own.client == use.client && own.person == use.person && own.digest == use.digest &&
         own.outcome == use.outcome && own.source == use.source && own.skill == use.skill &&
         own.issuer == use.issuer;
}

} // namespace

SubjectHash::SubjectHash() {
  std::array<unsigned char, sizeof start_ + sizeof factor_> bytes{};
  fillRandom(bytes);
  std::memcpy(&start_, bytes.data(), sizeof start_);
  std::memcpy(&factor_, bytes.data() + sizeof start_, sizeof factor_);
  factor_ |= 1U; // an even factor would lose bits
}

// Fields that follow from others are left out: the path determines the names of the skill and its
// source, the person the issuer. The end of a digest distinguishes as well as the whole.
std::uint64_t SubjectHash::of(const UseSubject<std::string_view> &subject) const noexcept {
  std::uint64_t hash = start_ + static_cast<std::uint64_t>(subject.kind);
  constexpr std::size_t enough = 16;
  const std::string_view digest =
      subject.digest.substr(subject.digest.size() - std::min(subject.digest.size(), enough));
  for (const std::string_view part :
       {subject.path, digest, subject.person, subject.client, subject.outcome}) {
    hash = (hash ^ std::hash<std::string_view>{}(part)) * factor_;
    hash ^= hash >> 32U;
  }
  return hash;
}

UsageQueue::Added UsageQueue::add(const UseView &use, std::uint64_t hash, std::size_t maxEntries) {
  const bool mayBeOneOfMany = use.text.empty();
  if (mayBeOneOfMany)
    if (const auto found = last_.find(hash);
        found != last_.end() && found->second != nullptr && isOf(*found->second, use)) {
      UsageEntry &entry = *found->second;
      ++entry.count;
      entry.microseconds += use.microseconds;
      entry.time = std::max(entry.time, use.time);
      return Added::Merged;
    }
  if (entries_.size() >= maxEntries) return Added::QueueFull;
  UsageEntry *none = nullptr;
  UsageEntry *&last = mayBeOneOfMany ? last_[hash] : none;
  entries_.push_back({subjectAs<std::string>(use), std::string(use.text), use.time, 1,
                      static_cast<std::int64_t>(use.microseconds)});
  last = &entries_.back();
  return Added::Appended;
}

void UsageQueue::swap(UsageQueue &other) noexcept {
  entries_.swap(other.entries_);
  last_.swap(other.last_);
}

} // namespace skillhost
