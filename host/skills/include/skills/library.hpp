// SPDX-License-Identifier: Apache-2.0
// The library keeps the catalogue of all sources up to date. Readers get the current catalogue
// without waiting. After a change, the library makes another catalogue on its own thread and then
// swaps the two.
#pragma once

#include "base/listing_progress.hpp"
#include "base/trace_context.hpp"
#include "plugin/observer.hpp"
#include "plugin/source.hpp"
#include "skills/catalogue.hpp"
#include "skills/skill_changes.hpp"
#include "skills/source_skills.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

struct LibraryStatistics {
  std::uint64_t rebuilds = 0; // catalogues made since the start
  std::chrono::microseconds lastBuild{0};
  std::chrono::microseconds firstReady{0}; // from start() to the first catalogue
};

class Library {
public:
  using Listener = std::function<void(std::shared_ptr<const Catalogue> now,
                                      std::shared_ptr<const Catalogue> before)>;

  // A source that reports a change is asked at once, but no sooner than `debounce` after the last
  // time: changes in between are read together. `observers` are notified of every SKILL.md that is
  // read, on threads of the sources' executors, and of every new catalogue, after the listeners.
  Library(SkillRules rules, std::chrono::milliseconds debounce, Observers observers = {});
  ~Library();
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  // `listener` is called on the library's thread after each swap that changes more than the
  // failures of sources, and when the library becomes ready, even with the same catalogue. Set it
  // before start().
  void onChange(Listener listener);
  // Lists every source in the background. Call it once, from any thread; until then the library has
  // no sources and is not ready. Without sources, the empty catalogue is ready at once.
  void start(std::vector<std::shared_ptr<Source>> sources);

  bool started() const;
  struct NewSource {
    std::shared_ptr<Source> source;
    // True if the skills of the present source with the same name are served until this source has
    // been listed.
    bool keepsSkills = false;
  };
  // Serves `sources` in place of the present ones; a source that is in both lists goes on as
  // before. If `rules` is not null, replace() first waits until the entries of all sources were
  // read and evaluated again by these rules; afterwards no skill that was evaluated by the old
  // rules is served. The next catalogue has another generation even if it has the same skills.
  // `beforeSwap` and `afterSwap` are called on the library's thread, just before and after that
  // catalogue is served; `beforeSwap` gets the generation of the catalogue before it, and must not
  // throw. The library calls a source that is left out no more; the caller stops it. Call replace()
  // after start(), and again only after `afterSwap`.
  void replace(const std::vector<NewSource> &sources, std::shared_ptr<const SkillRules> rules,
               std::function<void(std::uint64_t)> beforeSwap, std::function<void()> afterSwap);

  // Calls no listener afterwards, cancels running calls and ends the sources' executors, which then
  // refuse calls. Must not be called on a thread of an executor. The destructor calls it, too.
  void stop();

  // Never null. Any thread, never waits.
  std::shared_ptr<const Catalogue> catalogue() const;
  // True once every source has answered or failed for the first time.
  bool ready() const;
  // Calls `callback` once the library is ready, at once if it is already; on any thread.
  void whenReady(std::function<void()> callback);
  // Lists every source again and calls `callback` on the library's thread once the catalogue has
  // the answers; before start(), calls it once the library is ready. `trace` is that of the call
  // that wants it, for the calls into the sources.
  void reload(std::function<void()> callback, const TracePointer &trace = {});
  // Asks the sources for changes, after a reader met a stale document.
  void refresh();
  // Lists the source of that name again, in the background; does nothing if there is none.
  void refresh(std::string_view source);
  // The progress of the listings that run.
  ListingProgress &progress() noexcept;
  LibraryStatistics statistics() const;
  // Returns an entry for each source, in their order.
  std::vector<FollowedSource> followed() const;
  // Returns the skills that the sources have listed, as "<source>/<path>", including those that no
  // rule wants or that cannot be served.
  std::vector<std::string> listed() const;
  // Returns the source of that name; null if there is none.
  std::shared_ptr<Source> source(std::string_view name) const;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace skillhost
