// SPDX-License-Identifier: Apache-2.0
// Follows one source: lists it, reads what is new, keeps the last good state. Never blocks.
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

  // The bytes of an entry that has become a skill.
  using EntryRead = std::function<void(const Skill &skill, std::string_view bytes)>;

  // `settled` is called after each refresh, and `retry` when another one is wanted after a while;
  // both on a thread of the source's executor; they must not block.
  // `progress` is told of a full listing, on such a thread too.
  // `cancel` gives up what is under way. `known` is what is served until it has been listed, or
  // could not be; null: nothing. `entryRead`, which may be empty, is called on a thread of the
  // source's executor before `settled`, and must not block.
  SourceTracker(std::shared_ptr<Source> source, std::shared_ptr<const SkillRules> rules,
                CancelToken cancel, std::function<void()> settled, Retry retry, Progress progress,
                std::shared_ptr<const SourceSkills> known = nullptr, EntryRead entryRead = {});

  // Asks the source what is new; `full` lists all of it. One refresh at a time: another one asked
  // for meanwhile follows right after. `trace`: of the call that wants it; of several that are
  // answered by one refresh that of the last. Any thread.
  void refresh(bool full, TracePointer trace = {});
  // In place of the first refresh: what another tracker of this source has heard is judged by these
  // rules. Entries are read anew, nothing is listed.
  void judge(const SourceSkills &heard);
  SourceResult result() const;
  // How many refreshes have ended.
  std::uint64_t finished() const;
  // When one ended last, and when one that went well did.
  struct Looks {
    std::optional<std::chrono::system_clock::time_point> last, good;
  };
  Looks looks() const;
  // The count at which one has ended that began after now.
  std::uint64_t doneBy() const;

private:
  // One refresh. A change is applied as a whole within its deadline, or not at all. Of a listing
  // what could be read in time is kept, so that a slow source is read piece by piece.
  struct Run {
    Deadline deadline;
    bool isChange;
    TracePointer trace{};
  };
  CallOptions options(const Run &run) const;
  void begin(bool full, TracePointer trace);
  void list(const Run &run);
  void take(SourceDocuments told, const Run &run);
  std::shared_ptr<const SourceSkills> skills() const;
  void read(const std::shared_ptr<PendingSkills> &pending, const Run &run);
  void tooLate();
  enum class Outcome { Good, Stale, Failed };
  void finish(const std::shared_ptr<const SourceSkills> &skills, const std::string &failure,
              Outcome outcome = Outcome::Good, Fault fault = Fault::OperationFailed);
  // How long to wait before the next try, when there is to be one.
  std::optional<std::chrono::milliseconds> pause(Outcome outcome);

  const std::shared_ptr<Source> source_;
  const std::shared_ptr<const SkillRules> rules_; // all that it knows is judged by these
  const CancelToken cancel_;
  const std::function<void()> settled_;
  const Retry retry_;
  const Progress progress_;
  const EntryRead entryRead_;
  mutable std::mutex mutex_;
  std::shared_ptr<const SourceSkills> skills_;
  std::string failure_;
  Fault fault_ = Fault::OperationFailed; // of the failure
  bool isInherited_ = false; // skills_: of another instance, which does not read them any more
  bool busy_ = false, again_ = false, againFull_ = false;
  TracePointer againTrace_;
  std::uint64_t finished_ = 0;
  Looks looks_;
  std::chrono::steady_clock::time_point begun_; // the refresh that runs, or ran last
  std::chrono::milliseconds took_{0};           // by the refresh that ended last
  int badRuns_ = 0;                             // refreshes in a row that ended stale or failed
};

} // namespace skillhost
