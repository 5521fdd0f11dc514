// SPDX-License-Identifier: Apache-2.0
// The index, which collects entries and then publishes them all at once. It does not depend on
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

// Pairs of name and value, such as ("category", "writing"). A name may have several values.
using Attributes = std::set<std::pair<std::string, std::string>>;
// The accepted values by name. An entry must have one of them for every name.
using Filter = std::map<std::string, std::vector<std::string>>;

struct Entry {
  std::string id, description;
  std::vector<Trigram> trigrams; // of all its searched texts
  Attributes attributes;
};

struct Found {
  std::shared_ptr<const Entry> entry;
  double score; // share of the question's trigrams that the entry has, 0 to 1
};

class Index {
public:
  // Only one thread may write at a time. Readers see puts and removals only after commit().
  void put(Entry entry);
  void remove(const std::string &id);
  void commit(std::string generation);

  // Any number of threads may read, also while another writes. Each sees what one commit() has
  // published.
  std::string generation() const;
  // Returns at most `limit` entries, the best first, equal scores in order of id, and none with a
  // score below `least`. Calls `checkpoint` from time to time, which may end the search by
  // throwing.
  std::vector<Found> find(std::string_view question, const Filter &filter, double least,
                          std::size_t limit, const std::function<void()> &checkpoint) const;

private:
  using Entries = std::map<std::string, std::shared_ptr<const Entry>>; // by id
  struct Snapshot {
    std::string generation;
    Entries entries;
  };
  std::shared_ptr<const Snapshot> published() const;

  Entries collected_; // used by the writer alone
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::shared_ptr<const Snapshot> published_ = std::make_shared<const Snapshot>();
};
