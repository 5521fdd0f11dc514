// SPDX-License-Identifier: Apache-2.0
// The library keeps the catalogue of all sources current. Readers take the current catalogue and
// never wait; a change builds the next one aside and swaps it in.
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
  struct Next {
    std::shared_ptr<Source> source;
    // True if the source takes the place of another one of its name: the skills of that one are
    // served until this one has been listed.
    bool keepsSkills = false;
  };
  // Serves these sources in place of the present ones; sources among both go on as before. With
  // other `rules` (null: they stay), everything known of every source is first read and judged
  // again, which this call waits for, and nothing that was judged by the old rules is served
  // afterwards. The next catalogue follows at once, with another generation even if nothing
  // differs. On the library's thread, `taking` is called just before, with the generation of the
  // last catalogue of the old sources, and must not throw; `published` is called just after.
  // Sources that are left out are asked nothing more; the caller stops them. Call it after start(),
  // and the next time after `published`.
  void replace(const std::vector<Next> &sources, std::shared_ptr<const SkillRules> rules,
               std::function<void(std::uint64_t)> taking, std::function<void()> published);

  // Calls no listener afterwards, cancels what is under way and ends the sources' executors, which
  // then refuse calls. Must not be called on an executor's own thread. The destructor calls it too.
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
