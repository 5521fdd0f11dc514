// SPDX-License-Identifier: Apache-2.0
// Follows one source: lists it, reads new entries, keeps the last good state. Never blocks.
#pragma once

#include "base/trace_context.hpp"
#include "plugin/source.hpp"
#include "skills/builder.hpp"
#include "skills/source_skills.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

class SourceTracker : public std::enable_shared_from_this<SourceTracker> {
public:
  using Retry = std::function<void(std::chrono::milliseconds)>;
  using Progress =
      std::function<void(std::uint64_t done, std::uint64_t total, std::string_view what)>;

  // Receives the bytes of an entry that has become a skill.
  using EntryRead = std::function<void(const Skill &skill, std::string_view bytes)>;

  // All functions are called on threads of the source's executor and must not block. `onRefreshed`
  // is called after each refresh. `retry` is called when refresh() has to be called again after a
  // pause. `progress` is called during a full listing. `entryRead`, which may be empty, is called
  // before `onRefreshed`. `cancel` cancels running calls. `known` holds the skills that are served
  // until the first listing ends; if it fails, they are dropped. Null: none.
  SourceTracker(std::shared_ptr<Source> source, std::shared_ptr<const SkillRules> rules,
                CancelToken cancel, std::function<void()> onRefreshed, Retry retry,
                Progress progress, std::shared_ptr<const SourceSkills> known = nullptr,
                EntryRead entryRead = {});

  // Asks the source for changes, or, with `full`, for the whole list. One refresh runs at a time;
  // if refresh() is called meanwhile, another one follows. `trace` is the trace of the call that
  // needs the refresh; if several calls need one, that of the last call is used. Any thread.
  void refresh(bool full, TracePointer trace = {});
  // Call it in place of the first refresh(), with the skills of another tracker of this source.
  // Reads the entries of these skills again and evaluates them by the rules of this tracker,
  // without a new list of the source.
  void evaluate(const SourceSkills &listed);
  SourceResult result() const;
  // Returns the number of refreshes that have ended.
  std::uint64_t finished() const;
  // The ends of the last refresh and of the last one that succeeded.
  struct RefreshTimes {
    std::optional<std::chrono::system_clock::time_point> last, good;
  };
  RefreshTimes refreshTimes() const;
  // Returns the value of finished() at which a refresh that begins after this call has ended.
  std::uint64_t nextRefreshNumber() const;

private:
  // A running refresh. Changes are applied as a whole within the deadline, or not at all. A full
  // list keeps the entries that could be read in time, so that a slow source is read piece by
  // piece.
  struct Run {
    Deadline deadline;
    bool isChange;
    TracePointer trace{};
  };
  CallOptions options(const Run &run);
  void begin(bool full, TracePointer trace);
  void list(const Run &run);
  void take(SourceDocuments listing, const Run &run);
  std::shared_ptr<const SourceSkills> skills() const;
  void read(const std::shared_ptr<PendingSkills> &pending, const Run &run);
  void failTooLate();
  // Ends a refresh that a lack of memory has interrupted, so that another one may begin.
  void failForMemory() noexcept;
  enum class Outcome { Good, Stale, Failed };
  void finish(const std::shared_ptr<const SourceSkills> &skills, const std::string &failure,
              Outcome outcome = Outcome::Good, Fault fault = Fault::OperationFailed);
  // Returns the pause before the next try, or nothing if there is to be none.
  std::optional<std::chrono::milliseconds> pause(Outcome outcome);

  const std::shared_ptr<Source> source_;
  const std::shared_ptr<const SkillRules> rules_; // by which skills_ were evaluated
  const CancelToken cancel_;
  const std::function<void()> onRefreshed_;
  const Retry retry_;
  const Progress progress_;
  const EntryRead entryRead_;
  mutable std::mutex mutex_;
  std::shared_ptr<const SourceSkills> skills_;
  std::string failure_;
  Fault fault_ = Fault::OperationFailed; // of the failure
  bool isInherited_ = false; // skills_ came from another instance of the source, which has ended
  bool isRefreshing_ = false, isRefreshWanted_ = false, isFullRefreshWanted_ = false;
  TracePointer againTrace_;
  std::uint64_t finished_ = 0;
  RefreshTimes refreshTimes_;
  std::chrono::steady_clock::time_point begun_; // start of the refresh that runs, or ran last
  std::chrono::milliseconds took_{0};           // time of the refresh that ended last
  int badRuns_ = 0;                             // refreshes in a row that ended stale or failed
};

} // namespace skillhost
