// SPDX-License-Identifier: Apache-2.0
// The library: keeps the catalogue of all sources current. Readers take the catalogue of the moment
// and never wait; a change builds the next one off to the side and swaps it in.
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

  // A source that says it has changed is asked at once, but no sooner than `debounce` after the
  // last time: changes in between are read together. `observers` are told of every SKILL.md that is
  // read, on threads of the sources' executors, and of every other catalogue, after the listeners.
  Library(SkillRules rules, std::chrono::milliseconds debounce, Observers observers = {});
  ~Library();
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  // Heard after each swap, and when the library becomes ready, be the catalogue another one or not;
  // on the library's thread. Before start().
  void onChange(Listener listener);
  // Lists every source in the background. Once, from any thread; until then the library has no
  // sources and is not ready. None given: the empty catalogue is ready at once.
  void start(std::vector<std::shared_ptr<Source>> sources);

  bool started() const;
  struct Next {
    std::shared_ptr<Source> source;
    // Of one that takes the place of another of its name: what that had is served until this one
    // has been listed.
    bool keepsSkills = false;
  };
  // Serves these in place of those before; what is among both goes on as it was. With other `rules`
  // (null: they stay) what was heard of every one of them is read and judged anew first, which is
  // waited for, and nothing that was judged by the rules before is served any more. The next
  // catalogue follows at once, another generation even when all is the same. On the library's
  // thread `taking` is called just before, with the generation of the last catalogue of the sources
  // before, and must not throw; `published` just after. The sources that are left are asked nothing
  // more; the caller stops them. After start(); the next call when this one is published.
  void replace(const std::vector<Next> &sources, std::shared_ptr<const SkillRules> rules,
               std::function<void(std::uint64_t)> taking, std::function<void()> published);

  // Calls no listener afterwards, gives up what is under way and ends the sources' executors; what
  // is asked of them then is refused. Not on an executor's own thread. The destructor does it too.
  void stop();

  // Never null. Any thread, never waits.
  std::shared_ptr<const Catalogue> catalogue() const;
  // True once every source has answered once, or failed to.
  bool ready() const;
  // Calls back once ready, at once when it is; on any thread.
  void whenReady(std::function<void()> callback);
  // Lists every source anew and calls back once the catalogue has what they said; on the library's
  // thread; before start(), once ready. `trace`: of the call that wants it, for what sources ask.
  void reload(std::function<void()> callback, const TracePointer &trace = {});
  // Asks the sources what is new, after somebody met a stale document.
  void refresh();
  // Has the source of that name listed anew, in the background; nothing when there is none.
  void refresh(std::string_view source);
  // How far listings are that go on.
  ListingProgress &progress() noexcept;
  LibraryStatistics statistics() const;
  // Of each source, in their order.
  std::vector<FollowedSource> followed() const;
  // The skills that the sources have listed, as "<source>/<path>"; also those that no rule wants or
  // that cannot be served.
  std::vector<std::string> listed() const;
  // The source of that name; null when there is none.
  std::shared_ptr<Source> source(std::string_view name) const;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace skillhost
