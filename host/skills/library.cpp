// SPDX-License-Identifier: Apache-2.0
#include "skills/library.hpp"

#include "base/guarded.hpp"
#include "base/log.hpp"
#include "skills/builder.hpp"
#include "source_tracker.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace skillhost {

using Clock = std::chrono::steady_clock;

class Library::Implementation {
public:
  Implementation(SkillRules rules, std::chrono::milliseconds debounce)
      : rules_(std::move(rules)), debounce_(debounce),
        catalogue_(std::make_shared<const Catalogue>(0, std::vector<CatalogueEntry>{},
                                                     std::vector<SourceStatus>{},
                                                     std::vector<Finding>{})) {}

  ~Implementation() { stop(); }

  void stop() {
    // No callback is let in any more; one that is inside is waited for.
    gate_->with([](Implementation *&self) { self = nullptr; });
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
    // After this no lane holds a tracker any more, so none ends on its own thread.
    cancel_.cancel();
    for (const auto &source : sources_) source->stop();
  }

  void start(std::vector<std::shared_ptr<Source>> sources) {
    started_ = Clock::now();
    sources_ = std::move(sources);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      // A callback that comes after the end finds the gate closed.
      trackers_.push_back(std::make_shared<SourceTracker>(
          sources_[i], rules_, cancel_,
          [gate = gate_] { enter(gate, [](auto &self) { self.settled(); }); },
          [gate = gate_, i](std::chrono::milliseconds pause) {
            enter(gate, [i, pause](auto &self) { self.hinted(i, pause); });
          },
          [progress = progress_, name = sources_[i]->name()](
              std::uint64_t done, std::uint64_t total, std::string_view what) {
            progress->report(name, done, total, what);
          }));
      sources_[i]->onChanged(
          [gate = gate_, i] { enter(gate, [i](auto &self) { self.hinted(i, self.debounce_); }); });
    }
    gate_->with([this](Implementation *&self) { self = this; });
    running_.store(true, std::memory_order_release);
    for (const auto &tracker : trackers_) tracker->refresh(true);
    if (trackers_.empty()) settled();
    thread_ = std::thread([this] { work(); });
  }

  std::shared_ptr<const Catalogue> catalogue() const { return catalogue_.copy(); }

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

  void reload(std::function<void()> callback) {
    if (!running_.load(std::memory_order_acquire)) return callback();
    {
      const std::scoped_lock lock(mutex_);
      Reload reload{std::move(callback), {}};
      for (const auto &tracker : trackers_) reload.until.push_back(tracker->doneBy());
      reloads_.push_back(std::move(reload));
      settled_ = settled_ || trackers_.empty();
    }
    for (const auto &tracker : trackers_) tracker->refresh(true);
    wake_.notify_all();
  }

  void refresh() {
    if (!running_.load(std::memory_order_acquire)) return;
    for (std::size_t i = 0; i < trackers_.size(); ++i) hinted(i, debounce_);
  }

  void refresh(std::string_view name) {
    if (!running_.load(std::memory_order_acquire)) return;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (sources_[i]->name() == name) trackers_[i]->refresh(true);
  }

  LibraryStatistics statistics() const { return statistics_.copy(); }

  std::shared_ptr<Source> source(std::string_view name) const {
    if (!running_.load(std::memory_order_acquire)) return nullptr;
    for (const auto &source : sources_)
      if (source->name() == name) return source;
    return nullptr;
  }

  ListingProgress &progress() noexcept { return *progress_; }

  std::vector<Listener> listeners;

private:
  using Gate = Guarded<Implementation *>;
  struct Reload {
    std::function<void()> callback;
    std::vector<std::uint64_t> until; // by tracker: how many refreshes must have finished
  };

  template <class Body> static void enter(const std::shared_ptr<Gate> &gate, Body body) {
    gate->with([&](Implementation *self) {
      if (self != nullptr) body(*self);
    });
  }

  void settled() {
    {
      const std::scoped_lock lock(mutex_);
      settled_ = true;
    }
    wake_.notify_all();
  }

  // Has the source asked what is new after `pause`; an earlier moment that is set already stands.
  void hinted(std::size_t source, std::chrono::milliseconds pause) {
    {
      const std::scoped_lock lock(mutex_);
      const auto due = Clock::now() + pause;
      const auto [hint, isNew] = hints_.try_emplace(source, due);
      if (!isNew) hint->second = std::min(hint->second, due);
    }
    wake_.notify_all();
  }

  // The sources whose moment has come.
  std::vector<std::size_t> takeDueHints() {
    std::vector<std::size_t> due;
    const auto now = Clock::now();
    std::erase_if(hints_, [&](const auto &hint) {
      if (hint.second > now) return false;
      due.push_back(hint.first);
      return true;
    });
    return due;
  }

  // Until the next moment that is set, or until something happens.
  void rest(std::unique_lock<std::mutex> &lock) {
    const auto next =
        std::min_element(hints_.begin(), hints_.end(),
                         [](const auto &a, const auto &b) { return a.second < b.second; });
    if (next == hints_.end()) return wake_.wait(lock);
    const auto until = next->second; // a copy: the hint may be gone before the wait is over
    wake_.wait_until(lock, until);
  }

  void work() {
    pthread_setname_np(pthread_self(), "library");
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      const std::vector<std::size_t> due = takeDueHints();
      const bool rebuild = std::exchange(settled_, false);
      if (due.empty() && !rebuild) {
        rest(lock);
        continue;
      }
      lock.unlock();
      for (const std::size_t i : due) trackers_[i]->refresh(false);
      if (rebuild) build();
      lock.lock();
    }
  }

  void build() {
    const auto begin = Clock::now();
    std::vector<SourceResult> results;
    std::vector<std::uint64_t> finished;
    for (const auto &tracker : trackers_) {
      finished.push_back(tracker->finished()); // before the result, which may only be newer
      results.push_back(tracker->result());
    }
    const auto before = catalogue();
    const bool skillsDiffer = generation_ == 0 || differ(results, &SourceResult::skills);
    if (skillsDiffer || differ(results, &SourceResult::failure)) publish(results, begin);
    const auto now = catalogue();
    std::vector<std::function<void()>> callbacks;
    bool first = false; // that all sources have a part in
    {
      const std::scoped_lock lock(mutex_);
      if (!ready_ && std::all_of(finished.begin(), finished.end(), [](auto n) { return n > 0; })) {
        ready_ = first = true;
        callbacks = std::exchange(waiting_, {});
      }
      std::erase_if(reloads_, [&](Reload &reload) {
        for (std::size_t i = 0; i < finished.size(); ++i)
          if (finished[i] < reload.until[i]) return false;
        callbacks.push_back(std::move(reload.callback));
        return true;
      });
    }
    // Who waits for the catalogue comes before who does something with it.
    for (const auto &callback : callbacks) callback();
    if (now != before) warnOfNew(*now, *before);
    if (!skillsDiffer && !first) return; // how a source fares is news for the operator alone
    for (const Listener &listener : listeners) listener(now, before);
  }

  // Is some source's `part` another one than in the last catalogue?
  template <class Part>
  bool differ(const std::vector<SourceResult> &results, Part SourceResult::*part) const {
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i].*part != published_[i].*part) return true;
    return false;
  }

  void publish(const std::vector<SourceResult> &results, Clock::time_point begin) {
    auto now = buildCatalogue(++generation_, results);
    published_ = results;
    catalogue_.with([&](auto &current) { current = now; });
    statistics_.with([&](LibraryStatistics &s) {
      const auto end = Clock::now();
      ++s.rebuilds;
      s.lastBuild = std::chrono::duration_cast<std::chrono::microseconds>(end - begin);
      if (s.rebuilds == 1)
        s.firstReady = std::chrono::duration_cast<std::chrono::microseconds>(end - started_);
    });
    log::info("skills", "catalogue " + std::to_string(now->generation()) + ": " +
                            std::to_string(now->entries().size()) + " skills from " +
                            std::to_string(results.size()) + " sources, " +
                            std::to_string(now->findings().size()) + " findings");
  }

  // Why a skill is not served at all has been said when it was read; here: who lost a name or is
  // left out of skills/list.
  static void warnOfNew(const Catalogue &now, const Catalogue &before) {
    std::set<std::string> known;
    for (const Finding &finding : before.findings()) known.insert(render(finding));
    for (const Finding &finding : now.findings())
      if (finding.severity == Severity::Warning && !known.contains(render(finding)))
        log::warning("skills", render(finding));
    const auto hidden = [](const Catalogue &c) {
      return std::count_if(c.entries().begin(), c.entries().end(),
                           [](const CatalogueEntry &entry) { return !entry.listed; });
    };
    const auto count = hidden(now);
    if (count != 0 && count != hidden(before))
      log::warning("skills", std::to_string(count) +
                                 " skills break a rule of the skills extension "
                                 "and are left out of skills/list; the tools serve them. "
                                 "skillhost validate names each");
  }

  const SkillRules rules_;
  const std::chrono::milliseconds debounce_;
  Clock::time_point started_;
  // Written by start() before running_ is set, only read afterwards.
  std::vector<std::shared_ptr<Source>> sources_;
  std::vector<std::shared_ptr<SourceTracker>> trackers_;
  std::atomic<bool> running_{false};
  std::shared_ptr<ListingProgress> progress_ = std::make_shared<ListingProgress>();
  std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
  CancelToken cancel_;
  Guarded<std::shared_ptr<const Catalogue>> catalogue_;
  Guarded<LibraryStatistics> statistics_;
  std::uint64_t generation_ = 0;        // the library's thread only
  std::vector<SourceResult> published_; // the library's thread only

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false, settled_ = false, ready_ = false;
  std::map<std::size_t, Clock::time_point> hints_; // by source: when to ask it
  std::vector<std::function<void()>> waiting_;
  std::vector<Reload> reloads_;
  std::thread thread_;
};

Library::Library(SkillRules rules, std::chrono::milliseconds debounce)
    : implementation_(std::make_unique<Implementation>(std::move(rules), debounce)) {}
Library::~Library() = default;
void Library::stop() { implementation_->stop(); }
void Library::onChange(Listener listener) {
  implementation_->listeners.push_back(std::move(listener));
}
void Library::start(std::vector<std::shared_ptr<Source>> sources) {
  implementation_->start(std::move(sources));
}
std::shared_ptr<const Catalogue> Library::catalogue() const { return implementation_->catalogue(); }
bool Library::ready() const { return implementation_->ready(); }
void Library::whenReady(std::function<void()> callback) {
  implementation_->whenReady(std::move(callback));
}
void Library::reload(std::function<void()> callback) {
  implementation_->reload(std::move(callback));
}
void Library::refresh() { implementation_->refresh(); }
void Library::refresh(std::string_view source) { implementation_->refresh(source); }
ListingProgress &Library::progress() noexcept { return implementation_->progress(); }
LibraryStatistics Library::statistics() const { return implementation_->statistics(); }
std::shared_ptr<Source> Library::source(std::string_view name) const {
  return implementation_->source(name);
}

} // namespace skillhost
