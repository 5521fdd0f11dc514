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

// What is put of one entry: its body is read from its source.
struct Searchable {
  std::string id, revision, name, description;
  std::string attributes; // JSON object, see plugin.h
  std::shared_ptr<Source> source;
  Document document;          // holds the body
  std::size_t bodyOffset = 0; // where the body begins in it
};

// What an index is to hold: little of each entry, and how to get the rest once it has to be put.
struct Searchables {
  struct Key {
    std::string_view id;
    // Another one whenever anything of what is put is, this body included; the same in every run.
    std::string_view revision;
  };
  std::vector<Key> keys; // each id once; they point into what `describe` keeps
  std::function<Searchable(std::size_t key)> describe; // any thread
  // False at a start, while more may be heard of: until these are all for the first time, what is
  // kept of an earlier run is not removed.
  bool areAll = true;
};

// Between a failed update and the next try: twice as long each time, up to the longest.
inline constexpr BackOffRules usualRetries{std::chrono::milliseconds(1'000),
                                           std::chrono::milliseconds(60'000)};

// How far the index is with what it was given last.
struct IndexProgress {
  bool committed = false;          // there is something to be asked
  bool failed = false;             // the last update has; it is tried again
  bool whole = false;              // nothing is missing, or hardly anything that was not there yet
  std::size_t done = 0, total = 0; // entries
};

class Index {
public:
  // `deadline`: of one call into the backend or a source by an update. Throws std::system_error
  // when no thread can be started.
  explicit Index(std::chrono::milliseconds deadline = std::chrono::minutes(2),
                 BackOffRules retries = usualRetries,
                 SearchFloorPointer floor = std::make_shared<SearchFloor>());
  ~Index();
  Index(const Index &) = delete;
  Index &operator=(const Index &) = delete;

  // Gives the index its backend, or the reason why it has none. Once. What the backend has kept of
  // an earlier run is found at once, and the updates, also those that were asked for before, put
  // only what differs from it.
  void attach(Result<std::shared_ptr<SearchBackend>> backend);

  // Calls back when everything is to be given again by update(): the backend may have lost what was
  // committed, or an update failed, or a text could not be read, some time ago. Before attach(); on
  // any thread.
  void onLost(std::function<void()> callback);

  // Makes the index hold exactly `all` (see Searchables::areAll): removes what is gone, puts what
  // is new or changed, commits. Much is put and committed piece by piece, so that what is there
  // already is found. Of several updates asked for while one runs only the last is done. Any
  // thread, never waits.
  void update(Searchables all, std::string generation);
  // What is committed is not all that is known already: whenCommitted() waits for an update that is
  // asked for from now on.
  void expectUpdate();
  // Calls back when the first update has ended, or the first one after expectUpdate(): at once or
  // on an executor's thread. Dropped when `cancel` is set before. Also
  // when nothing will be committed any more: it has no backend, or was stopped (on that thread).
  void whenCommitted(const CancelToken &cancel, std::function<void()> callback);
  // At most `limit` hits that are not below the floor, best first, of what was committed last, also
  // while an update is under way: a hit tells the revision that was found, unless an update may
  // have changed it meanwhile. On the backend's thread. Unavailable without a backend, or while
  // nothing could be committed.
  void query(CallOptions options, std::string text, std::string filter, std::uint32_t limit,
             Answer<std::vector<SearchHit>> answer);
  // The score from which a hit fits well, see SearchFloor::fitting().
  double fittingScore() const;
  // For who asks more of it than queries. Null before attach() and without one.
  std::shared_ptr<SearchBackend> backend() const;
  std::size_t size() const;
  IndexProgress progress() const;
  // Gives up what is under way, ends the backend's executor and lets go of who waits. Not on an
  // executor's own thread. The destructor does it too.
  void stop();

private:
  class Implementation;
  std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
