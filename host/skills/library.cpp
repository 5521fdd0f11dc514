// SPDX-License-Identifier: Apache-2.0
#include "skills/library.hpp"

#include "base/log.hpp"
#include "ground/counted.hpp"
#include "ground/guarded.hpp"
#include "library_reports.hpp"
#include "skills/builder.hpp"
#include "source_list.hpp"
#include "source_tracker.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace skillhost {

using Clock = std::chrono::steady_clock;

class Library::Implementation {
public:
  Implementation(SkillRules rules, std::chrono::milliseconds debounce, Observers observers)
      : rules_(std::make_shared<const SkillRules>(std::move(rules))), nameRule_(rules_->names),
        debounce_(debounce), observers_(std::move(observers)),
        catalogue_(std::make_shared<const Catalogue>(0, std::vector<CatalogueEntry>{},
                                                     std::vector<SourceStatus>{},
                                                     std::vector<Finding>{}, Loading{true, 0, 0})) {
  }

  ~Implementation() { stop(); }

  void stop() {
    // Lets no callback in any more, and waits for one that is inside.
    gate_->with([](Implementation *&self) { self = nullptr; });
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
    // After this no executor holds a tracker any more, so no executor ends on its own thread.
    for (const auto served = sourceList(); const ServedSourcePointer &member : *served) {
      member->cancel.cancel();
      member->source->stop();
    }
  }

  void start(std::vector<std::shared_ptr<Source>> sources) {
    started_ = Clock::now();
    // Opens the gate before the sources get their listeners, so that no early report is lost.
    gate_->with([this](Implementation *&self) { self = this; });
    auto first = std::make_shared<SourceList>();
    for (std::shared_ptr<Source> &source : sources)
      first->push_back(makeServed(std::move(source), {}));
    sourceList_.with([&](SourceListPointer &current) { current = first; });
    running_.store(true, std::memory_order_release);
    for (const ServedSourcePointer &member : *first) member->tracker->refresh(true);
    if (first->empty()) onSourceRefreshed();
    thread_ = std::thread([this] { work(); });
  }

  void replace(const std::vector<NewSource> &sources, std::shared_ptr<const SkillRules> rules,
               std::function<void(std::uint64_t)> beforeSwap, std::function<void()> afterSwap) {
    const SourceListPointer before = sourceList();
    const Evaluation evaluation = rules ? Evaluation::All : Evaluation::OnlyNew;
    if (rules) rules_ = std::move(rules);
    SourceList joined;
    auto next = std::make_shared<const SourceList>(nextSourceList(
        *before, sources, evaluation, [&](std::shared_ptr<Source> source, auto known) {
          return joined.emplace_back(makeServed(std::move(source), std::move(known)));
        }));
    // Evaluates the known skills first, so that none is missing meanwhile and no remote has to
    // answer.
    const SourceList evaluated =
        evaluation == Evaluation::All ? evaluateListed(*before, joined) : SourceList{};
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || haveAllFinished(evaluated); });
      replacement_ = Replacement{std::move(next), std::move(beforeSwap), std::move(afterSwap)};
    }
    wake_.notify_all();
    refreshJoined(joined, evaluated);
  }

  std::shared_ptr<const Catalogue> catalogue() const { return catalogue_.copy(); }

  bool started() const { return running_.load(std::memory_order_acquire); }

  bool ready() const {
    const std::scoped_lock lock(mutex_);
    return ready_;
  }

  void whenReady(std::function<void()> callback) {
    {
      const std::scoped_lock lock(mutex_);
      if (!ready_) {
        waiting_.push_back(std::move(callback));
        return;
      }
    }
    callback();
  }

  void reload(std::function<void()> callback, const TracePointer &trace) {
    if (!running_.load(std::memory_order_acquire)) return whenReady(std::move(callback));
    SourceListPointer all;
    {
      const std::scoped_lock lock(mutex_);
      all = sourceList();
      Reload reload{std::move(callback), {}};
      for (const ServedSourcePointer &member : *all)
        reload.until.emplace_back(member, member->tracker->nextRefreshNumber());
      reloads_.push_back(std::move(reload));
      needsRebuild_ = needsRebuild_ || all->empty();
    }
    for (const ServedSourcePointer &member : *all) member->tracker->refresh(true, trace);
    wake_.notify_all();
  }

  void refresh() {
    if (!running_.load(std::memory_order_acquire)) return;
    for (const auto served = sourceList(); const ServedSourcePointer &member : *served)
      hinted(member->source.get(), std::nullopt);
  }

  void refresh(std::string_view name) {
    for (const auto served = sourceList(); const ServedSourcePointer &member : *served)
      if (member->source->name() == name) member->tracker->refresh(true);
  }

  LibraryStatistics statistics() const { return statistics_.copy(); }

  std::vector<FollowedSource> followed() const {
    std::vector<FollowedSource> all;
    const auto changes = changes_.copy();
    for (const auto served = sourceList(); const ServedSourcePointer &member : *served) {
      FollowedSource one;
      one.name = member->source->name();
      const SourceTracker::RefreshTimes refreshTimes = member->tracker->refreshTimes();
      one.lastRefresh = refreshTimes.last;
      one.lastSuccess = refreshTimes.good;
      one.next = nextLook(member->source.get());
      if (const auto found = changes.find(one.name); found != changes.end())
        one.changes = found->second;
      all.push_back(std::move(one));
    }
    return all;
  }

  std::vector<std::string> listed() const {
    std::vector<std::string> ids;
    for (const auto served = sourceList(); const ServedSourcePointer &member : *served)
      if (const auto skills = member->tracker->result().skills; skills)
        for (const auto &[path, documents] : skills->documents)
          ids.push_back(skills->source + '/' + path);
    return ids;
  }

  std::shared_ptr<Source> source(std::string_view name) const {
    for (const auto served = sourceList(); const ServedSourcePointer &member : *served)
      if (member->source->name() == name) return member->source;
    return nullptr;
  }

  ListingProgress &progress() noexcept { return *progress_; }

  std::vector<Listener> listeners;

private:
  using Gate = Guarded<Implementation *>;
  static constexpr std::size_t maxChanges = 50; // remembered for each source
  struct Replacement {
    SourceListPointer next;
    std::function<void(std::uint64_t)> beforeSwap;
    std::function<void()> afterSwap;
  };
  struct Reload {
    std::function<void()> callback;
    // The number of refreshes that each member must finish; a member that is no longer served needs
    // none.
    std::vector<std::pair<ServedSourcePointer, std::uint64_t>> until;
  };

  template <class Body> static void enter(const std::shared_ptr<Gate> &gate, Body body) {
    gate->with([&](Implementation *self) {
      if (self != nullptr) body(*self);
    });
  }

  // Hold the result while you go through the list: a reload frees it otherwise. A loop over
  // `*sourceList()` holds nothing.
  SourceListPointer sourceList() const { return sourceList_.copy(); }

  // Returns an empty function if no observer wants the event.
  SourceTracker::EntryRead entryRead() const {
    if (!observers_.anyWants(event::entryRead)) return {};
    return [observers = observers_](const Skill &skill, std::string_view bytes) {
      observers.entryRead(skill, bytes);
    };
  }

  // `known` holds the skills that are served until the source has been listed; it may be null.
  ServedSourcePointer makeServed(std::shared_ptr<Source> source,
                                 std::shared_ptr<const SourceSkills> known) {
    auto member = std::make_shared<ServedSource>();
    const Source *const hinting = source.get();
    // A callback that runs after the end finds the gate closed.
    const auto hint = [gate = gate_, hinting](std::optional<std::chrono::milliseconds> pause) {
      enter(gate, [&](auto &self) { self.hinted(hinting, pause); });
    };
    member->source = std::move(source);
    member->tracker = std::make_shared<SourceTracker>(
        member->source, rules_, member->cancel,
        [gate = gate_] { enter(gate, [](auto &self) { self.onSourceRefreshed(); }); }, hint,
        [progress = progress_, name = member->source->name()](
            std::uint64_t done, std::uint64_t total, std::string_view what) {
          progress->report(name, done, total, what);
        },
        std::move(known), entryRead());
    // A source that is already being served has its listener.
    if (!contains(*sourceList(), hinting))
      member->source->onChanged([hint] { hint(std::nullopt); });
    return member;
  }

  void onSourceRefreshed() {
    {
      const std::scoped_lock lock(mutex_);
      needsRebuild_ = true;
    }
    wake_.notify_all();
  }

  // Asks the source for changes after `pause`; an earlier time that is set already stays. Without a
  // pause the source is asked at once, or as soon as the debounce since the last time has passed: a
  // single change does not wait, and many are read together.
  void hinted(const Source *source, std::optional<std::chrono::milliseconds> pause) {
    {
      const std::scoped_lock lock(mutex_);
      auto due = Clock::now() + pause.value_or(std::chrono::milliseconds(0));
      if (const auto last = lastHints_.find(source); !pause && last != lastHints_.end())
        due = std::max(due, last->second + debounce_);
      const auto [hint, isNew] = hints_.try_emplace(source, due);
      if (!isNew && hint->second <= due) return; // the thread waits for that time already
      hint->second = due;
    }
    wake_.notify_all();
  }

  // Returns the sources whose time has come, without those that are no longer served.
  SourceList takeDueHints() {
    std::set<const Source *> sources;
    const auto now = Clock::now();
    std::erase_if(lastHints_, [&](const auto &one) { return one.second + debounce_ <= now; });
    std::erase_if(hints_, [&](const auto &hint) {
      if (hint.second > now) return false;
      sources.insert(hint.first);
      lastHints_[hint.first] = now;
      return true;
    });
    SourceList due;
    if (sources.empty()) return due;
    for (const auto served = sourceList(); const ServedSourcePointer &member : *served)
      if (sources.contains(member->source.get())) due.push_back(member);
    return due;
  }

  // Waits until the next time that is set, or until something happens.
  void rest(std::unique_lock<std::mutex> &lock) {
    const auto next =
        std::min_element(hints_.begin(), hints_.end(),
                         [](const auto &a, const auto &b) { return a.second < b.second; });
    if (next == hints_.end()) return wake_.wait(lock);
    const auto until = next->second; // a copy: the hint may be erased during the wait
    wake_.wait_until(lock, until);
  }

  void work() {
    pthread_setname_np(pthread_self(), "library");
    constexpr std::chrono::seconds pauseWithoutMemory{1};
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      try {
        workUntilStopped(lock);
      } catch (const std::exception &why) {
        if (!lock.owns_lock()) lock.lock();
        log::failure("skills", {"the catalogue is not updated; the next try is in a second"}, why);
        needsRebuild_ = hasFailed_ = true;
        wake_.wait_for(lock, pauseWithoutMemory, [this] { return stopping_; });
      }
    }
  }

  void workUntilStopped(std::unique_lock<std::mutex> &lock) {
    while (!stopping_) {
      if (due_.empty()) due_ = takeDueHints();
      const bool rebuild = std::exchange(needsRebuild_, false);
      if (!replacing_) replacing_ = std::exchange(replacement_, std::nullopt);
      if (due_.empty() && !rebuild && !replacing_) {
        rest(lock);
        continue;
      }
      if (replacing_) take(replacing_->next);
      const SourceListPointer all = sourceList();
      lock.unlock();
      for (; !due_.empty(); due_.erase(due_.begin())) due_.front()->tracker->refresh(false);
      if (rebuild || replacing_) build(*all, replacing_);
      lock.lock();
      replacing_.reset();
    }
  }

  // Returns the time that is set. A source that polls by itself sets none here.
  std::optional<FollowedSource::Time> nextLook(const Source *source) const {
    const std::scoped_lock lock(mutex_);
    const auto hint = hints_.find(source);
    if (hint == hints_.end()) return std::nullopt;
    return std::chrono::system_clock::now() +
           std::chrono::duration_cast<std::chrono::system_clock::duration>(hint->second -
                                                                           Clock::now());
  }

  // Counts changes of sources that were there before; the first list of a source is no change.
  // Returns the numbers in words for the log, such as ", 1 added, 2 changed".
  std::string noteChanges(const std::vector<SourceResult> &results) {
    std::size_t added = 0, changed = 0, removed = 0;
    for (const SourceResult &result : results) {
      const auto old = std::find_if(published_.begin(), published_.end(),
                                    [&](const auto &one) { return one.name == result.name; });
      if (old == published_.end() || !old->skills || !result.skills || old->skills == result.skills)
        continue;
      SkillChanges changes = changesBetween(*old->skills, *result.skills);
      if (changes.empty()) continue;
      added += changes.added.count;
      changed += changes.changed.count;
      removed += changes.removed.count;
      changes_.with([&](auto &all) {
        auto &list = all[result.name];
        list.push_back(std::move(changes));
        if (list.size() > maxChanges) list.pop_front();
      });
    }
    std::string words;
    for (const auto &[count, what] :
         {std::pair{added, " added"}, {changed, " changed"}, {removed, " removed"}})
      if (count != 0) words += ", " + std::to_string(count) + what;
    return words;
  }

  // The caller holds the lock.
  void take(const SourceListPointer &next) {
    const SourceListPointer before = sourceList();
    sourceList_.with([&](SourceListPointer &current) { current = next; });
    cancelRemoved(*before, *next);
  }

  // With a replacement, the sources differ from those of the served catalogue, or have another
  // order.
  void build(const SourceList &all, const std::optional<Replacement> &replacement) {
    const auto begin = Clock::now();
    std::vector<SourceResult> results;
    std::map<const ServedSource *, std::uint64_t> finished;
    for (const ServedSourcePointer &member : all) {
      // Read before the result, which may only be newer.
      finished.emplace(member.get(), member->tracker->finished());
      results.push_back(member->tracker->result());
    }
    if (replacement) forgetLeft(results);
    updateSourceMetrics(results);
    const auto before = lastNotified_;
    const bool skillsDiffer = generation_ == 0 || replacement || hasFailed_ ||
                              differ(results, &SourceResult::skills) ||
                              differ(results, &SourceResult::hasAnswered);
    if (replacement) replacement->beforeSwap(generation_);
    if (skillsDiffer || differ(results, &SourceResult::failure)) publish(results, begin);
    const auto now = catalogue();
    bool first = false; // the library becomes ready now
    {
      const std::scoped_lock lock(mutex_);
      std::function<void()> afterSwap = replacement ? replacement->afterSwap : nullptr;
      callbacks_.reserve(callbacks_.size() + waiting_.size() + reloads_.size() + 1);
      // From here on nothing allocates memory, so no callback is lost.
      if (!ready_ && std::all_of(finished.begin(), finished.end(),
                                 [](const auto &one) { return one.second > 0; })) {
        ready_ = first = true;
        std::move(waiting_.begin(), waiting_.end(), std::back_inserter(callbacks_));
        waiting_.clear();
      }
      if (afterSwap) callbacks_.push_back(std::move(afterSwap));
      std::erase_if(reloads_, [&](Reload &reload) {
        for (const auto &[member, until] : reload.until)
          if (const auto one = finished.find(member.get());
              one != finished.end() ? one->second < until : !member->cancel.cancelled())
            return false;
        callbacks_.push_back(std::move(reload.callback));
        return true;
      });
    }
    // The callbacks that wait for the catalogue run before the listeners that use it.
    while (!callbacks_.empty()) {
      const std::function<void()> callback = std::move(callbacks_.front());
      callbacks_.erase(callbacks_.begin());
      callback();
    }
    if (now != before) warnOfNewFindings(*now, *before);
    // Only an operator needs to know that a source fails or recovers.
    if (skillsDiffer || first) {
      for (const Listener &listener : listeners) listener(now, before);
      if (now != before) observers_.catalogueChanged(now, now->generation());
    }
    lastNotified_ = now;
    hasFailed_ = false;
  }

  // Removes the metrics, changes and progress of the sources that are no longer served.
  void forgetLeft(const std::vector<SourceResult> &results) {
    for (const SourceResult &old : published_) {
      if (std::any_of(results.begin(), results.end(),
                      [&](const SourceResult &result) { return result.name == old.name; }))
        continue;
      clearSourceMetrics(old.name);
      changes_.with([&](auto &all) { all.erase(old.name); });
      progress_->forget(old.name);
    }
  }

  // True if `part` of some source differs from the last catalogue. The sources must be the same.
  template <class Part>
  bool differ(const std::vector<SourceResult> &results, Part SourceResult::*part) const {
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i].*part != published_[i].*part) return true;
    return false;
  }

  // Returns the time that the discovery took, for the catalogue's line in the log. Sources are
  // asked at the same time, so the slowest source with something new counts.
  std::chrono::milliseconds longestOfNew(const std::vector<SourceResult> &results) const {
    std::chrono::milliseconds longest{0};
    for (const SourceResult &result : results) {
      const bool isKnown =
          std::any_of(published_.begin(), published_.end(), [&](const SourceResult &one) {
            return one.name == result.name && one.skills == result.skills;
          });
      if (!isKnown) longest = std::max(longest, result.took);
    }
    return longest;
  }

  void publish(std::vector<SourceResult> results, Clock::time_point begin) {
    if (!ready()) markFirst(results, published_);
    const auto before = catalogue();
    auto now = buildCatalogue(++generation_, results, before.get(), &gone_, nameRule_);
    catalogue_.with([&](auto &current) { current = now; });
    statistics_.with([&](LibraryStatistics &s) {
      const auto end = Clock::now();
      ++s.rebuilds;
      s.lastBuild = std::chrono::duration_cast<std::chrono::microseconds>(end - begin);
      if (s.rebuilds == 1)
        s.firstReady = std::chrono::duration_cast<std::chrono::microseconds>(end - started_);
    });
    const std::string changes = noteChanges(results); // the new catalogue is served already
    const std::chrono::milliseconds took = longestOfNew(results);
    published_ = results;
    updateCatalogueMetrics(*now);
    log::info("skills", "catalogue " + std::to_string(now->generation()) + ": " +
                            counted(now->entries().size(), "skill") + " from " +
                            counted(results.size(), "source") + " in " +
                            std::to_string(took.count()) + " ms" + changes + ", " +
                            counted(now->findings().size(), "finding"));
  }

  // Used by the thread that calls start(), then by the thread that calls replace().
  std::shared_ptr<const SkillRules> rules_;
  const NameRule nameRule_;
  const std::chrono::milliseconds debounce_;
  const Observers observers_;
  Clock::time_point started_;
  Guarded<SourceListPointer> sourceList_{
      std::make_shared<const SourceList>()}; // changes under mutex_ too
  std::atomic<bool> running_{false};
  std::shared_ptr<ListingProgress> progress_ = std::make_shared<ListingProgress>();
  std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
  Guarded<std::shared_ptr<const Catalogue>> catalogue_;
  Guarded<LibraryStatistics> statistics_;
  Guarded<std::map<std::string, std::deque<SkillChanges>>> changes_; // by source
  std::uint64_t generation_ = 0;                                     // the library's thread only
  GoneNames gone_;                                                   // the library's thread only
  std::vector<SourceResult> published_;                              // the library's thread only
  // Only the library's thread uses these. An attempt that failed for want of memory leaves in them
  // what the next one has to do.
  std::shared_ptr<const Catalogue> lastNotified_ =
      catalogue_.copy(); // passed to the listeners last
  std::optional<Replacement> replacing_;
  SourceList due_; // sources to ask
  std::vector<std::function<void()>> callbacks_;
  bool hasFailed_ = false;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false, needsRebuild_ = false, ready_ = false;
  std::optional<Replacement> replacement_;
  std::map<const Source *, Clock::time_point> hints_;     // when to ask a source, which may be gone
  std::map<const Source *, Clock::time_point> lastHints_; // last asked for a hint, within debounce
  std::vector<std::function<void()>> waiting_;
  std::vector<Reload> reloads_;
  std::thread thread_;
};

Library::Library(SkillRules rules, std::chrono::milliseconds debounce, Observers observers)
    : implementation_(
          std::make_unique<Implementation>(std::move(rules), debounce, std::move(observers))) {}
Library::~Library() = default;
void Library::stop() { implementation_->stop(); }
void Library::onChange(Listener listener) {
  implementation_->listeners.push_back(std::move(listener));
}
void Library::start(std::vector<std::shared_ptr<Source>> sources) {
  implementation_->start(std::move(sources));
}
bool Library::started() const { return implementation_->started(); }
void Library::replace(const std::vector<NewSource> &all, std::shared_ptr<const SkillRules> rules,
                      std::function<void(std::uint64_t)> before, std::function<void()> after) {
  implementation_->replace(all, std::move(rules), std::move(before), std::move(after));
}
std::shared_ptr<const Catalogue> Library::catalogue() const { return implementation_->catalogue(); }
bool Library::ready() const { return implementation_->ready(); }
void Library::whenReady(std::function<void()> callback) {
  implementation_->whenReady(std::move(callback));
}
void Library::reload(std::function<void()> callback, const TracePointer &trace) {
  implementation_->reload(std::move(callback), trace);
}
void Library::refresh() { implementation_->refresh(); }
void Library::refresh(std::string_view source) { implementation_->refresh(source); }
std::vector<FollowedSource> Library::followed() const { return implementation_->followed(); }
std::vector<std::string> Library::listed() const { return implementation_->listed(); }
ListingProgress &Library::progress() noexcept { return implementation_->progress(); }
LibraryStatistics Library::statistics() const { return implementation_->statistics(); }
std::shared_ptr<Source> Library::source(std::string_view name) const {
  return implementation_->source(name);
}

} // namespace skillhost
