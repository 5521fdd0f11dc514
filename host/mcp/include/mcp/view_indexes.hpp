// SPDX-License-Identifier: Apache-2.0
// Keeps a search index for each set of skills that callers see. The result for a skill depends on
// the others in the same index: scores, their order, snippets, the number of hits. So a caller who
// may not see all skills asks an index that holds nothing but what they see, and no backend has to
// be trusted with more.
#pragma once

#include "access/visibility.hpp"
#include "search/index.hpp"
#include "skills/library.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace skillhost {

// A thread of its own makes, fills and ends the indexes. It starts with the first of them.
class ViewIndexes {
public:
  using IndexPointer = std::shared_ptr<Index>;
  // Returns the searchable entries of a catalogue.
  using Describe = std::function<SearchableEntries(const std::shared_ptr<const Catalogue> &seen)>;
  // Makes a backend for one view only. `mark` distinguishes it from those of other views, in other
  // runs too.
  using Make = std::function<Result<std::shared_ptr<SearchBackend>>(const std::string &mark)>;

  // The number of indexes at a time.
  struct Room {
    std::size_t usual = 8, most = 64;         // most: while that many are needed
    std::chrono::milliseconds needed{10'000}; // after the last request for it
  };

  // `deadline` and `floor` are those of Index. The library must outlive this object.
  ViewIndexes(Library &library, std::chrono::milliseconds deadline, Describe describe, Room room,
              SearchFloorPointer floor = std::make_shared<SearchFloor>());
  ViewIndexes(Library &library, std::chrono::milliseconds deadline, Describe describe,
              SearchFloorPointer floor = std::make_shared<SearchFloor>());
  ~ViewIndexes();
  ViewIndexes(const ViewIndexes &) = delete;
  ViewIndexes &operator=(const ViewIndexes &) = delete;

  // From now on backends can be made. Call it once.
  void makeWith(Make make);
  // Sets the rules to follow, and makes the index for callers who satisfy none of them, if there
  // are any. Call it once; `visibility` must outlive this object.
  void guardWith(const Visibility &visibility);

  // Returns the index for callers with this key, which must not be a key that sees all. A missing
  // index is made, without waiting for it. If there are more than Room::usual, those that nobody
  // asked for longest make room, unless they are filled for the first time or were asked for a
  // moment ago. If there are Room::most of these, the returned index refuses what it is asked. Any
  // thread.
  IndexPointer of(const Visibility::Key &key);
  // Returns the same if it exists, else null, and does not count as a request for it. Any thread.
  IndexPointer find(const Visibility::Key &key);
  // Brings all of them up to date, without waiting, and ends those whose rules hold no longer. Call
  // it after each change of the catalogue.
  void catalogueChanged();
  // The catalogue is that of all sources now, so searches wait until it is indexed.
  void expectUpdate();

  // Ends all of them; later questions are refused. The destructor calls it too.
  void stop();

private:
  struct View {
    Visibility::Key key;
    IndexPointer index;
    bool isAttached = false; // or is being attached
    bool isDue = true;       // must be filled
    std::chrono::steady_clock::time_point asked = std::chrono::steady_clock::now();
  };

  void work();
  void wake();
  void attach(const View &view, const Make &make);
  void fill(const View &view);
  std::vector<View>::iterator at(const Visibility::Key &key);
  bool isNeeded(const View &view) const;
  void makeRoom(std::size_t most);
  void dropOld(std::unique_lock<std::mutex> &lock);

  Library &library_;
  const std::chrono::milliseconds deadline_;
  const Describe describe_;
  const Room room_;
  const SearchFloorPointer floor_;
  std::mutex filling_; // held while an index is given the newest catalogue; taken before mutex_
  std::mutex mutex_;   // guards what follows
  std::condition_variable wake_;
  std::vector<View> views_;                 // the last one asked for is at the end
  std::vector<IndexPointer> indexesToStop_; // to be stopped
  const Visibility *visibility_ = nullptr;
  Make make_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace skillhost
