// SPDX-License-Identifier: Apache-2.0
#include "index.hpp"

#include <algorithm>

namespace {

bool accepts(const Filter &filter, const Attributes &attributes) {
  return std::all_of(filter.begin(), filter.end(), [&](const auto &demand) {
    return std::any_of(demand.second.begin(), demand.second.end(), [&](const std::string &value) {
      return attributes.contains({demand.first, value});
    });
  });
}

} // namespace

void Index::put(Entry entry) {
  std::string id = entry.id;
  collected_.insert_or_assign(std::move(id), std::make_shared<const Entry>(std::move(entry)));
}

void Index::remove(const std::string &id) { collected_.erase(id); }

void Index::commit(std::string generation) {
  // The snapshots share the entries, so this copies only pointers.
  auto next = std::make_shared<const Snapshot>(Snapshot{std::move(generation), collected_});
  const std::scoped_lock lock(mutex_);
  published_.swap(next);
}

std::shared_ptr<const Index::Snapshot> Index::published() const {
  const std::scoped_lock lock(mutex_);
  return published_;
}

std::string Index::generation() const { return published()->generation; }

std::vector<Found> Index::find(std::string_view question, const Filter &filter, double least,
                               std::size_t limit, const std::function<void()> &checkpoint) const {
  constexpr std::size_t entriesAtOnce = 256; // which take about ten microseconds
  const std::shared_ptr<const Snapshot> snapshot = published();
  const std::vector<Trigram> asked = trigramsOf(question);
  std::vector<Found> found;
  if (asked.empty()) return found;
  std::size_t looked = 0;
  for (const auto &[id, entry] : snapshot->entries) {
    if (looked++ % entriesAtOnce == 0) checkpoint();
    if (!accepts(filter, entry->attributes)) continue;
    const double score =
        static_cast<double>(inCommon(asked, entry->trigrams)) / static_cast<double>(asked.size());
    if (score > 0 && score >= least) found.push_back({entry, score});
  }
  // The entries are in order of id, and a stable sort keeps that order among equal scores.
  std::stable_sort(found.begin(), found.end(),
                   [](const Found &a, const Found &b) { return a.score > b.score; });
  if (found.size() > limit) found.resize(limit);
  return found;
}
