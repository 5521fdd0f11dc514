// SPDX-License-Identifier: Apache-2.0
// Keeps a search backend in step with a changing set of entries, and asks it.
#pragma once

#include "ground/back_off.hpp"
#include "plugin/search.hpp"
#include "plugin/source.hpp"
#include "search/floor.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Describes an entry as the backend gets it. The index reads the body from the source.
struct SearchableEntry {
  std::string id, revision, name, description;
  std::string attributes; // JSON object, see plugin.h
  std::shared_ptr<Source> source;
  Document document;          // the document that contains the body
  std::size_t bodyOffset = 0; // where the body begins in the document
};

// The entries that an index has to hold: a key for each, and a function that describes an entry
// when the index has to put it. The descriptions are not kept, to save memory.
struct SearchableEntries {
  struct Key {
    std::string_view id;
    // Changes whenever anything that the backend gets changes, the body included. It is the same in
    // every run of the program.
    std::string_view revision;
  };
  std::vector<Key> keys; // each id appears once; the views point into memory that `describe` keeps
  std::function<SearchableEntry(std::size_t key)> describe; // any thread
  // False after a start, while entries may still be missing. Until an update has all entries for
  // the first time, the index removes none that an earlier run left.
  bool isComplete = true;
};

// The pauses between a failed update and the next try: each is twice as long as the one before, up
// to the longest.
inline constexpr BackOffRules usualRetries{std::chrono::milliseconds(1'000),
                                           std::chrono::milliseconds(60'000)};

// Progress of the update that the index was given last.
struct IndexProgress {
  bool committed = false;          // a query has something to search
  bool failed = false;             // the last update failed; it is tried again
  bool isComplete = false;         // at most a tenth is missing, after a complete update
  std::size_t done = 0, total = 0; // entries
};

class Index {
public:
  // `deadline` limits each call of an update into the backend or a source. Throws std::system_error
  // if no thread can be started.
  explicit Index(std::chrono::milliseconds deadline = std::chrono::minutes(2),
                 BackOffRules retries = usualRetries,
                 SearchFloorPointer floor = std::make_shared<SearchFloor>());
  ~Index();
  Index(const Index &) = delete;
  Index &operator=(const Index &) = delete;

  // Gives the index its backend, or the reason why it has none. Call it once. Queries find at once
  // what the backend kept of an earlier run. The updates, including those asked for before, put
  // only the entries that differ from it.
  void attach(Result<std::shared_ptr<SearchBackend>> backend);

  // `callback` runs when the caller has to give all entries again with update(): the backend may
  // have lost committed entries, or an update failed or a text could not be read some time ago. Set
  // it before attach(). It runs on any thread.
  void onLost(std::function<void()> callback);

  // Makes the index hold exactly `all` (see SearchableEntries::isComplete): removes entries that
  // are gone, puts entries that are new or changed, and commits. A large update is put and
  // committed in pieces, so that queries find the first ones early. Of several updates that are
  // asked for while one runs, only the last is done. Any thread, never waits.
  void update(SearchableEntries all, std::string generation);
  // Announces that more entries are known than the next commit of a running update has: from now on
  // whenCommitted() waits for an update that is asked for after this call.
  void expectUpdate();
  // Calls `callback` when the first update has ended, or the first one after expectUpdate(): at
  // once, or later on an executor's thread. If nothing will be committed any more, because the
  // index has no backend or was stopped, it is called on the thread that does this. Drops the
  // callback if `cancel` is set before.
  void whenCommitted(const CancelToken &cancel, std::function<void()> callback);
  // Returns at most `limit` hits of the last commit that reach the floor, best first, also while an
  // update runs. A hit names the revision that was found, unless an update may have changed the
  // entry meanwhile. `answer` runs on the backend's thread. Fails with Unavailable, on the caller's
  // thread, without a backend or while nothing could be committed.
  void query(CallOptions options, std::string text, std::string filter, std::uint32_t limit,
             ResultCallback<std::vector<SearchHit>> answer);
  // The score from which a hit fits well, see SearchFloor::fitting().
  double fittingScore() const;
  // For callers that need more than queries. Null before attach(), and if there is no backend.
  std::shared_ptr<SearchBackend> backend() const;
  std::size_t size() const;
  IndexProgress progress() const;
  // Cancels the running update, ends the backend's executor and calls the callbacks that wait. Must
  // not be called on an executor's own thread. The destructor calls it too.
  void stop();

private:
  class Implementation;
  std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
