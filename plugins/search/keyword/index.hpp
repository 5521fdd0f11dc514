// SPDX-License-Identifier: Apache-2.0
// The keyword index: changes are collected, a commit makes all of them visible at once.
#pragma once

#include "analysis.hpp"
#include "compounds.hpp"
#include "options.hpp"
#include "query.hpp"
#include "snapshot.hpp"

#include <functional>
#include <map>
#include <mutex>

namespace skillhost::keyword {

struct EntryView {
  std::string_view id, name, description, body, attributes;
};

struct Hit {
  std::string id;
  double score;
  std::string snippet;
};

using Checkpoint = std::function<void()>; // called now and then; may throw to give the work up

// One query, of what was visible when it began, for who wants more than the hits.
class Search {
public:
  const Snapshot &entries() const noexcept { return *snapshot_; }
  // By place in entries(); 0 where no word fits or the filter refuses.
  const std::vector<float> &scores() const noexcept { return scores_; }
  bool accepts(std::uint32_t entry) const {
    return filter_.accepts(snapshot_->entries[entry]->attributes);
  }
  std::string snippet(std::uint32_t entry) const;

private:
  friend class Index;
  Search(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Language> language,
         const Options &options, std::string_view text, std::string_view filterJson,
         const Checkpoint &checkpoint);

  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<const Language> language_;
  Filter filter_;
  Query query_;
  std::vector<float> scores_;
};

// Any thread may call anything. Writers wait for one another; readers wait for nobody but for the
// copying of one pointer. Held in memory only.
class Index {
public:
  // Throws std::invalid_argument when the language is not known.
  explicit Index(Options options);

  // Adds an entry or replaces the one of the same id. Throws std::invalid_argument when the id is
  // empty or the attributes are not a JSON object.
  void put(const EntryView &entry);
  void remove(std::string_view id); // nothing happens when there is no such entry
  // What a throwing checkpoint interrupts stays collected for the next commit.
  void commit(std::string_view generation, const Checkpoint &checkpoint = [] {});

  std::string generation() const { return snapshot()->generation; } // empty before a commit
  // Throws std::invalid_argument when the filter is malformed. See Filter for what it means.
  std::vector<Hit> query(
      std::string_view text, std::string_view filterJson, std::size_t limit,
      const Checkpoint &checkpoint = [] {}) const;
  Search search(
      std::string_view text, std::string_view filterJson,
      const Checkpoint &checkpoint = [] {}) const;
  std::shared_ptr<const Snapshot> snapshot() const;

private:
  struct Record {
    std::shared_ptr<const Entry> entry;
    AnalysedEntry analysed;
    TermVector compounds;
  };
  void forget(const Record &record);
  void splitCompounds(const Checkpoint &checkpoint);

  Options options_;
  std::shared_ptr<const Language> language_;

  std::mutex writing_; // guards the rest of the writer's state
  Analyser analyser_;
  Vocabulary vocabulary_;
  std::uint64_t splitVersion_ = 0; // of the vocabulary the compounds were split with
  std::map<std::string, Record, std::less<>> records_;

  mutable std::mutex publishing_; // guards the pointer, held for its copying only
  std::shared_ptr<const Snapshot> snapshot_;
};

} // namespace skillhost::keyword
