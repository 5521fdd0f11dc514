// SPDX-License-Identifier: Apache-2.0
// The keyword index: changes are collected, a commit makes all of them visible at once. A thread of
// its own merges segments and keeps them in a folder.
#pragma once

#include "analysis.hpp"
#include "calibration.hpp"
#include "compounds.hpp"
#include "explanation.hpp"
#include "options.hpp"
#include "query.hpp"
#include "ranking.hpp"
#include "segment_builder.hpp"
#include "snapshot.hpp"
#include "storage.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace skillhost::keyword {

struct EntryView {
  std::string_view id, name, description, body, attributes, revision;
};

struct Hit {
  std::string id;
  double score; // from 0 to 1, see Scale
  std::string snippet;
};

using Checkpoint = std::function<void()>; // called now and then; may throw to give the work up

// One query, of what was visible when it began, for who wants more than the hits.
class Search {
public:
  const Snapshot &entries() const noexcept { return *snapshot_; }
  // By place in entries(); 0 where no word fits or the filter refuses.
  const std::vector<float> &scores() const noexcept { return scores_; }
  bool accepts(std::uint32_t place) const {
    return filter_.everything() || filter_.accepts(snapshot_->entry(place).attributes);
  }
  // At most `limit`: what is asked for by its name first, then by score.
  std::vector<Ranked> best(std::size_t limit) const;
  NameMatch nameMatch(std::uint32_t place) const noexcept;
  double bestScore() const noexcept { return bestScore_; } // by words; 0 when there is none
  std::vector<Ranked> judged() const { return bestOf(*snapshot_, scores_, judgedHits); }
  Evidence evidence(std::uint32_t place) const;
  Scale scale() const; // by words alone
  // What the best hit by words has of what a perfect one would: about 0 to 1.
  double strength() const noexcept;
  std::string snippet(std::uint32_t place) const;

private:
  friend class Index;
  Search(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Language> language,
         const Options &options, std::string_view text, std::string_view filterJson,
         const Checkpoint &checkpoint);
  void findNames(std::string_view text);
  double information() const noexcept; // of the whole query

  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<const Language> language_;
  Filter filter_;
  double perfectOccurrence_; // of a word, before its rarity
  Query query_;
  std::vector<float> scores_;
  double bestScore_ = 0;
  std::vector<std::pair<std::uint32_t, NameMatch>> names_; // by place
};

// Any thread may call anything. Writers wait for one another; readers wait for nobody but for the
// copying of one pointer.
class Index {
public:
  // `folder`: where the index is kept; what is there is visible at once. Empty: in memory only.
  // Throws std::invalid_argument when the language is not known.
  explicit Index(
      Options options, std::string folder = {}, Tell tell = [](Notice, const std::string &) {});
  Index(const Index &) = delete;
  Index &operator=(const Index &) = delete;
  ~Index(); // when what was committed is kept

  // Adds an entry or replaces the one of the same id. Throws std::invalid_argument when the id is
  // empty or the attributes are not a JSON object.
  void put(const EntryView &entry);
  void remove(std::string_view id); // nothing happens when there is no such entry
  // What a throwing checkpoint interrupts stays collected for the next commit.
  void commit(std::string_view generation, const Checkpoint &checkpoint = [] {});
  // What the next commit leaves out: all that is there now.
  void clear();
  // Waits until what was committed is kept and nothing is left to be merged.
  void waitUntilKept();

  std::string generation() const { return snapshot()->generation(); } // empty before a commit
  // Throws std::invalid_argument when the filter is malformed. See Filter for what it means.
  std::vector<Hit> query(
      std::string_view text, std::string_view filterJson, std::size_t limit,
      const Checkpoint &checkpoint = [] {}) const;
  Search search(
      std::string_view text, std::string_view filterJson,
      const Checkpoint &checkpoint = [] {}) const;
  // See explanationOf().
  std::optional<Explanation>
  explain(std::string_view text, std::string_view id, const Checkpoint &checkpoint = [] {}) const;
  std::shared_ptr<const Snapshot> snapshot() const;

private:
  struct Growing { // a segment, and what is gone of it once the next commit is made
    std::shared_ptr<const Segment> segment;
    std::shared_ptr<Dead> dead;
    bool isShared = true;                 // a snapshot has `dead`
    std::vector<std::uint16_t> uncounted; // of the dead: see Dead::count()
  };

  // index.cpp; under writing_.
  void takeUp(Kept kept);
  void count(const SegmentView &view);
  void forget(const Segment &segment, std::uint16_t entry);
  void removeOld(std::string_view id);
  void flush();
  void countDead(Growing &growing);
  void wake(); // the keeper, which begins with the first commit
  void publish(std::shared_ptr<const Snapshot> next);

  // keeping.cpp; the thread's own.
  void keep();
  void keepUntilStopped(std::unique_lock<std::mutex> &lock);
  bool isAllKept() const; // under writing_
  void save(std::unique_lock<std::mutex> &writing);
  // Writes what was made while the disk refused; false when it still does.
  bool writeMissing(std::unique_lock<std::mutex> &writing);
  // False, and nothing has changed: the disk refuses.
  bool merge(std::unique_lock<std::mutex> &writing, const std::vector<std::size_t> &numbers,
             Where where);
  void install(const std::vector<MergeInput> &inputs, const Places &places,
               const std::shared_ptr<const Segment> &segment);

  const Options options_;
  const Tell tell_;
  std::shared_ptr<const Language> language_;
  Storage storage_;

  mutable std::mutex writing_; // guards what follows
  std::condition_variable changed_, progressed_;
  Compounds compounds_;
  Statistics statistics_;
  std::vector<Growing> growing_;
  NewEntries pending_; // in no segment yet
  std::size_t pendingBytes_ = 0;
  bool isUnsaved_ = false;
  bool isSaving_ = false;
  bool mergesFail_ = false;           // until the next commit
  bool isToldOfMerges_ = false;       // that they fail, since the last that did not
  std::atomic<bool> stopping_{false}; // set under writing_

  mutable std::mutex publishing_; // guards the pointer, held for its copying only
  std::shared_ptr<const Snapshot> snapshot_;

  std::thread keeper_; // last: it uses all the others
};

} // namespace skillhost::keyword
