// SPDX-License-Identifier: Apache-2.0
// What is searched: entries that are collected, and then published all at once. Knows nothing of
// skillhost.
#pragma once

#include "trigrams.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Name and value, such as ("category", "writing"): a name may have several values.
using Attributes = std::set<std::pair<std::string, std::string>>;
// By name, which values are accepted: an entry must have one of them for every name.
using Filter = std::map<std::string, std::vector<std::string>>;

struct Entry {
  std::string id, description;
  std::vector<Trigram> trigrams; // of all that is searched
  Attributes attributes;
};

struct Found {
  std::shared_ptr<const Entry> entry;
  double score; // how much of the question is in the entry: 0 to 1
};

class Index {
public:
  // One writer at a time. What is put and removed is not seen before commit().
  void put(Entry entry);
  void remove(const std::string &id);
  void commit(std::string generation);

  // Any number of threads, while the writer writes too: each sees what one commit() has published.
  std::string generation() const;
  // At most `limit`, the best first, equal scores in order of id; none below `least`. `checkpoint`
  // is called now and then, and ends the search by throwing.
  std::vector<Found> find(std::string_view question, const Filter &filter, double least,
                          std::size_t limit, const std::function<void()> &checkpoint) const;

private:
  using Entries = std::map<std::string, std::shared_ptr<const Entry>>; // by id
  struct Snapshot {
    std::string generation;
    Entries entries;
  };
  std::shared_ptr<const Snapshot> published() const;

  Entries collected_; // the writer's own
  mutable std::mutex mutex_;
  std::shared_ptr<const Snapshot> published_ = std::make_shared<const Snapshot>(); // under mutex_
};
