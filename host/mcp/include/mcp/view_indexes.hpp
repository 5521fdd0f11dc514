// SPDX-License-Identifier: Apache-2.0
// One search index for each set of skills that callers see. What a search says of a skill depends
// on the others that are indexed with it: scores, their order, snippets, how many hits there are.
// So whoever may not see all skills asks an index that holds nothing but what they see, and no
// backend has to be trusted with more.
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

// Indexes are made, filled and ended on a thread of its own, which begins with the first of them.
class ViewIndexes {
public:
  using IndexPointer = std::shared_ptr<Index>;
  // What is to be found of the skills of a catalogue.
  using Describe = std::function<Searchables(const std::shared_ptr<const Catalogue> &seen)>;
  // A backend for one view alone. `mark` tells it from those of other views, in other runs too.
  using Make = std::function<Result<std::shared_ptr<SearchBackend>>(const std::string &mark)>;

  // How many there are at once.
  struct Room {
    std::size_t usual = 8, most = 64;         // most: while so many are needed
    std::chrono::milliseconds needed{10'000}; // after it was asked for
  };

  // `deadline` and `floor`: as of Index. The library must outlive it.
  ViewIndexes(Library &library, std::chrono::milliseconds deadline, Describe describe, Room room,
              SearchFloorPointer floor = std::make_shared<SearchFloor>());
  ViewIndexes(Library &library, std::chrono::milliseconds deadline, Describe describe,
              SearchFloorPointer floor = std::make_shared<SearchFloor>());
  ~ViewIndexes();
  ViewIndexes(const ViewIndexes &) = delete;
  ViewIndexes &operator=(const ViewIndexes &) = delete;

  // From now on there are backends. Once.
  void makeWith(Make make);
  // Whose rules they are; begins with the index of who satisfies none of them, if there are any.
  // Once; must outlive it.
  void guardWith(const Visibility &visibility);

  // The index of those who have this key, which is not that of somebody who sees all. One that is
  // not there yet is made, without waiting for it. Those beyond Room::usual that were asked for
  // longest ago make room, unless they are filled for the first time or were asked for a moment
  // ago. Where there are Room::most of these, it is one that refuses what it is asked. Any thread.
  IndexPointer of(const Visibility::Key &key);
  // The same if it is there, else null: asks for nothing. Any thread.
  IndexPointer find(const Visibility::Key &key);
  // Brings all of them up to date, without waiting; those of rules that hold no longer end. After
  // each change of the catalogue.
  void catalogueChanged();
  // The catalogue is that of all sources now: who searches waits until it is indexed.
  void expectUpdate();

  // Ends all of them; what is asked then is refused. The destructor does it too.
  void stop();

private:
  struct View {
    Visibility::Key key;
    IndexPointer index;
    bool isAttached = false; // or is being attached
    bool isDue = true;       // to be filled
    std::chrono::steady_clock::time_point asked = std::chrono::steady_clock::now(); // for it
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
  std::vector<View> views_;         // asked for last at the end
  std::vector<IndexPointer> ended_; // to be stopped
  const Visibility *visibility_ = nullptr;
  Make make_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace skillhost
