// SPDX-License-Identifier: Apache-2.0
// Keeps a search index for each view: the set of skills that callers with the same rights see. The
// result for a skill depends on the others in the same index: scores, their order, snippets, the
// number of hits. So a caller who may not see all skills asks an index that holds nothing but what
// they see, and no backend has to be trusted with more.
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

// A thread of its own makes, fills and ends the indexes. The thread starts with the first index.
class ViewIndexes {
public:
  using IndexPointer = std::shared_ptr<Index>;
  // Returns the searchable entries of the part of the catalogue that a view sees.
  using Describe = std::function<SearchableEntries(const std::shared_ptr<const Catalogue> &seen)>;
  // Makes a backend for one view only. `mark` names the view: it is the same in the next run of the
  // server, and differs from the marks of all other views (see Visibility::Key::mark()).
  using Make = std::function<Result<std::shared_ptr<SearchBackend>>(const std::string &mark)>;

  // Limits the number of indexes that exist at a time. An index is needed until it was filled for
  // the first time, and for `neededFor` after the last indexFor() that returned it. Above `usual`
  // indexes, those that are not needed are ended. Above `max`, no index is made, even if all are
  // needed.
  struct Capacity {
    std::size_t usual = 8, max = 64;
    std::chrono::milliseconds neededFor{10'000};
  };

  // `deadline` and `floor` are passed to each Index. The library must outlive this object.
  ViewIndexes(Library &library, std::chrono::milliseconds deadline, Describe describe,
              Capacity capacity, SearchFloorPointer floor = std::make_shared<SearchFloor>());
  ViewIndexes(Library &library, std::chrono::milliseconds deadline, Describe describe,
              SearchFloorPointer floor = std::make_shared<SearchFloor>());
  ~ViewIndexes();
  ViewIndexes(const ViewIndexes &) = delete;
  ViewIndexes &operator=(const ViewIndexes &) = delete;

  // Sets the function that makes backends. Until then, indexes wait for their backend. Call it
  // once.
  void setBackendFactory(Make make);
  // Sets the rules of visibility. If they hide skills, this also begins to make the index for
  // callers who satisfy no rule, such as anonymous ones, so that they need not wait for it. Call it
  // once; `visibility` must outlive this object.
  void setVisibility(const Visibility &visibility);

  // Returns the index for callers with this key; must not be called with a key that sees all
  // skills. If the index does not exist, it is made in the background. A new index ends others as
  // Capacity says, the least recently requested ones first. If there are Capacity::max indexes
  // already, the returned index refuses every search. Any thread.
  IndexPointer indexFor(const Visibility::Key &key);
  // Returns the index if it exists, else null. Unlike indexFor(), this does not make the index and
  // does not count as a request for it. Any thread.
  IndexPointer find(const Visibility::Key &key);
  // Begins to update all indexes to the newest catalogue, and ends those of rules that are no
  // longer in force. Does not wait. Call it after each change of the catalogue.
  void catalogueChanged();
  // Makes searches wait for the next update of their index. Call it when the catalogue holds the
  // skills of all sources for the first time, before catalogueChanged().
  void expectUpdate();

  // Ends all indexes and waits for the thread. Later searches are refused. The destructor calls it,
  // too.
  void stop();

private:
  struct View {
    Visibility::Key key;
    IndexPointer index;
    bool isAttached = false; // the index has a backend, or the thread makes it now
    bool isDue = true;       // the index lacks the newest catalogue
    std::chrono::steady_clock::time_point lastAsked = std::chrono::steady_clock::now();
  };

  void work();
  void wake();
  void attach(const View &view, const Make &make);
  void fill(const View &view);
  std::vector<View>::iterator findView(const Visibility::Key &key);
  bool isNeeded(const View &view) const;
  void endUnneededViews(std::size_t maxViews);
  void endOutdatedViews(std::unique_lock<std::mutex> &lock);

  Library &library_;
  const std::chrono::milliseconds deadline_;
  const Describe describe_;
  const Capacity capacity_;
  const SearchFloorPointer floor_;
  std::mutex filling_; // locked while an index receives the newest catalogue; locked before mutex_
  std::mutex mutex_;   // guards the members below
  std::condition_variable wake_;
  std::vector<View> views_;                 // the view that was asked for last is at the end
  std::vector<IndexPointer> indexesToStop_; // the thread stops them, because that may take long
  const Visibility *visibility_ = nullptr;
  Make make_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace skillhost
