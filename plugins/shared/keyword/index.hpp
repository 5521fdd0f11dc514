// SPDX-License-Identifier: Apache-2.0
// The keyword index collects changes, and a commit makes all of them visible at once. A background
// thread merges segments and keeps them in a folder. If another process keeps its index in that
// folder, this one follows: it uses those segments, and holds in memory only entries that they do
// not have. The entries that are visible depend on put(), remove() and commit() alone.
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

using Checkpoint = std::function<void()>; // called now and then; may throw to stop the work

// A query over the entries that were visible when it began, for callers that need more than the
// hits.
class Search {
public:
  const Snapshot &entries() const noexcept { return *snapshot_; }
  // Score by place in entries(); 0 if no word fits or the filter refuses the entry.
  const std::vector<float> &scores() const noexcept { return scores_; }
  bool accepts(std::uint32_t place) const {
    return filter_.acceptsEverything() || filter_.accepts(snapshot_->entry(place).attributes);
  }
  // Returns at most `limit` entries: first those whose name is asked for, then by score.
  std::vector<Ranked> best(std::size_t limit) const;
  NameMatch nameMatch(std::uint32_t place) const noexcept;
  // Best score of the words; 0 if there is no hit.
  double bestScore() const noexcept { return bestScore_; }
  std::vector<Ranked> hitsToCalibrate() const { return bestOf(*snapshot_, scores_, judgedHits); }
  Evidence evidence(std::uint32_t place) const;
  Scale scale() const;             // from the words alone
  double missing() const noexcept; // see weightOfMissingWords()
  // Ratio of the best hit's score by words to that of a perfect hit: about 0 to 1.
  double strength() const noexcept;
  double taskShare() const noexcept { return taskShareOf(query_); } // see taskShareOf()
  std::string snippet(std::uint32_t place) const;

private:
  friend class Index;
  Search(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Language> language,
         const Options &options, std::string_view text, std::string_view filterJson,
         const Checkpoint &checkpoint);
  void findNames(std::string_view text);
  double information() const noexcept; // sum over the whole query

  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<const Language> language_;
  Filter filter_;
  double perfectOccurrence_; // score of a perfect occurrence of a word, before its rarity
  Query query_;
  std::vector<float> scores_;
  double bestScore_ = 0;
  std::vector<std::pair<std::uint32_t, NameMatch>> names_; // sorted by place
};

// Any thread may call any function. Writers wait for one another. Readers only wait while one
// pointer is copied.
class Index {
public:
  // `folder` keeps the index, and what it holds is visible at once; empty: the index is in memory
  // only. Throws std::invalid_argument if the language is unknown.
  explicit Index(
      Options options, std::string folder = {}, Tell tell = [](Notice, const std::string &) {},
      Images images = Images::Mapped);
  Index(const Index &) = delete;
  Index &operator=(const Index &) = delete;
  ~Index(); // waits until committed entries are kept

  // Adds an entry or replaces the one of the same id. Throws std::invalid_argument when the id is
  // empty or the attributes are not a JSON object.
  void put(const EntryView &entry);
  void remove(std::string_view id); // does nothing if there is no such entry
  // If a checkpoint throws, the changes stay collected for the next commit.
  void commit(std::string_view generation, const Checkpoint &checkpoint = [] {});
  // Removes all present entries with the next commit.
  void clear();
  // Waits until committed entries are kept and no merge is due.
  void waitUntilKept();

  std::string generation() const { return snapshot()->generation(); } // empty before a commit
  // Throws std::invalid_argument if the filter is malformed. Filter specifies its form.
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
  struct OpenSegment { // a segment, and the entries that the next commit removes from it
    std::shared_ptr<const Segment> segment;
    std::shared_ptr<RemovedEntries> removed;
    bool isShared = true; // a snapshot also holds `removed`
    std::vector<std::uint16_t>
        uncounted;               // dead entries that RemovedEntries::count() has not counted
    bool mustCountAll = false;   // the counts of `removed` are wrong
    RemovedEntries &writable() { // copies first what a reader may hold
      if (std::exchange(isShared, false)) removed = std::make_shared<RemovedEntries>(*removed);
      return *removed;
    }
    void remove(std::uint16_t entry) {
      writable().add(entry);
      uncounted.push_back(entry);
    }
  };

  // Implemented in index.cpp. The caller holds writing_.
  void loadKept(Kept kept);
  void count(const SegmentView &view);
  void remember(const Segment &segment, std::uint16_t entry);
  void forget(const Segment &segment, std::uint16_t entry);
  void removeOld(std::string_view id);
  void flush();
  void countRemoved(OpenSegment &openSegment);
  void wake(); // wakes the keeper thread, which the first commit starts
  void publish(std::shared_ptr<const Snapshot> next);

  // Implemented in following.cpp. The caller holds writing_.
  // Takes what another process has kept since the last call, and its place if it has ended. Returns
  // true if that changes segments_.
  bool follow();
  // Follows unless changes are collected, and publishes the result.
  void followInBackground();
  // Replaces segments by those of another process, as far as they hold the same entries.
  void use(const std::vector<SegmentView> &kept);
  // Makes an entry of another process's segments visible with the next commit. Returns false if
  // they do not have it.
  bool revive(std::string_view id, std::string_view revision);
  bool isFollowed(const Segment &segment) const;
  // True if a segment is not in the folder that this process writes.
  bool isMissing(const Segment &segment) const;

  // Implemented in keeping.cpp. Only the keeper thread calls these.
  void keep();
  void keepUntilStopped(std::unique_lock<std::mutex> &lock);
  bool isAllKept() const; // the caller holds writing_
  // The visible segments that this process may merge, and those that it should merge now, as
  // numbers. The caller holds writing_.
  std::vector<std::size_t> ownSegments() const;
  std::vector<std::size_t> segmentsDue() const;
  void save(std::unique_lock<std::mutex> &writing);
  // Writes segments that were built while the disk refused. Returns false if it still refuses.
  bool writeMissing(std::unique_lock<std::mutex> &writing);
  // Returns false, without a change, if the disk refuses.
  bool merge(std::unique_lock<std::mutex> &writing, const std::vector<std::size_t> &numbers,
             Where where);
  void install(const std::vector<MergeInput> &inputs, const Places &places,
               const std::shared_ptr<const Segment> &segment);

  const Options options_;
  const Tell tell_;
  std::shared_ptr<const Language> language_;
  Storage storage_;

  mutable std::mutex writing_; // guards the members below
  std::condition_variable changed_, progressed_;
  Compounds compounds_;
  Statistics statistics_;
  std::vector<OpenSegment> segments_;
  NewEntries pending_; // entries that are in no segment yet
  std::size_t pendingBytes_ = 0;
  // Each thread of flush() uses one. They are empty if no large update is under way.
  std::vector<std::unique_ptr<Stems>> stems_;
  bool hasChanges_ = false;    // since the last commit
  bool isMerging_ = false;     // a merge is under way, and must find its segments
  Storage::Segments followed_; // those of another process; none if this one writes
  Storage::Segments lost_;     // of an earlier writer, and no longer in the folder
  bool isUnsaved_ = false;
  bool isSaving_ = false;
  bool mergesFail_ = false;            // reset by the next commit
  bool hasLoggedMergeFailure_ = false; // the failure was logged since the last merge that succeeded
  std::atomic<bool> stopping_{false};  // set while writing_ is held

  mutable std::mutex publishing_; // guards the pointer; held only to copy it
  std::shared_ptr<const Snapshot> snapshot_;

  std::thread keeper_; // last, because it uses all other members
};

} // namespace skillhost::keyword
