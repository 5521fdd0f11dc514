// SPDX-License-Identifier: Apache-2.0
#include "source_tracker.hpp"

#include "base/log.hpp"
#include "library_reports.hpp"
#include "skills/finding_summary.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace skillhost {
namespace {

void warnOf(const SourceSkills &skills, const SourceSkills *before) {
  FindingSummary summary("skills of " + skills.source + " that are not served");
  for (const auto &[path, findings] : skills.skipped) {
    if (before != nullptr && before->skipped.contains(path)) continue;
    for (const Finding &finding : findings)
      if (finding.severity == Severity::Error)
        summary.add(finding, skills.source + "/" + path + " is not served: ");
  }
  for (const std::string &line : summary.lines()) log::warning("skills", line);
}

} // namespace

SourceTracker::SourceTracker(std::shared_ptr<Source> source,
                             std::shared_ptr<const SkillRules> rules, CancelToken cancel,
                             std::function<void()> onRefreshed, Retry retry, Progress progress,
                             std::shared_ptr<const SourceSkills> known, EntryRead entryRead)
    : source_(std::move(source)), rules_(std::move(rules)), cancel_(std::move(cancel)),
      onRefreshed_(std::move(onRefreshed)), retry_(std::move(retry)),
      progress_(std::move(progress)), entryRead_(std::move(entryRead)), skills_(std::move(known)),
      isInherited_(skills_ != nullptr) {}

CallOptions SourceTracker::options(const Run &run) {
  CallOptions made{run.deadline, cancel_, nullptr, {}, run.trace};
  made.onAnswerLost = [weak = weak_from_this()](const std::exception &) {
    if (const auto self = weak.lock()) self->failForMemory();
  };
  return made;
}

void SourceTracker::refresh(bool full, TracePointer trace) {
  {
    const std::scoped_lock lock(mutex_);
    if (isRefreshing_) {
      isRefreshWanted_ = true;
      isFullRefreshWanted_ = isFullRefreshWanted_ || full;
      if (trace) againTrace_ = std::move(trace);
      return;
    }
    isRefreshing_ = true;
    begun_ = std::chrono::steady_clock::now();
    // If nothing is known after a failure, the source may just answer that it still fails; every
    // fourth time it is listed anyway.
    const bool knowsNothing = !skills_ || skills_->revision.empty();
    full = full || (knowsNothing && (failure_.empty() || badRuns_ % 4 == 0));
  }
  begin(full, std::move(trace));
}

void SourceTracker::evaluate(const SourceSkills &listed) {
  {
    const std::scoped_lock lock(mutex_);
    isRefreshing_ = true;
    begun_ = std::chrono::steady_clock::now();
  }
  take(documentsOf(listed), {Deadline::after(rules_->sourceDeadline), false});
}

void SourceTracker::begin(bool full, TracePointer trace) try {
  const Run run{Deadline::after(rules_->sourceDeadline), !full, std::move(trace)};
  if (full) return list(run);
  const std::shared_ptr<const SourceSkills> before = skills();
  const std::string since = before ? before->revision : std::string{};
  const auto answer = [self = shared_from_this(), before, since, run](Result<Changes> changes) {
    const Fault fault = changes ? Fault::Stale : changes.failure().fault;
    // The source explains why it has nothing yet.
    const bool isAway =
        fault == Fault::Unavailable || fault == Fault::Denied || fault == Fault::NotFound;
    if ((!changes && fault == Fault::Stale) || (since.empty() && !isAway))
      self->list({run.deadline, false, run.trace});
    else if (!changes)
      self->finish(nullptr, changes.failure().message, Outcome::Failed, fault);
    else if (changes->revision == before->revision)
      self->finish(before, {});
    else
      self->take(applyChanges(*before, *std::move(changes)), run);
  };
  source_->changes(options(run), since, answer);
} catch (const std::exception &) { // no memory to ask with: the source may be asked again
  const std::scoped_lock lock(mutex_);
  isRefreshing_ = false;
  throw;
}

void SourceTracker::list(const Run &run) {
  CallOptions listOptions = options(run);
  listOptions.progress = progress_;
  source_->list(listOptions, [self = shared_from_this(), run](Result<Snapshot> listed) {
    if (listed)
      self->take(groupBySkill(*std::move(listed)), run);
    else
      self->finish(nullptr, listed.failure().message, Outcome::Failed, listed.failure().fault);
  });
}

void SourceTracker::take(SourceDocuments listing, const Run &run) {
  const std::shared_ptr<const SourceSkills> before = skills();
  auto pending = std::make_shared<PendingSkills>(
      reuseUnchanged(source_->name(), std::move(listing), before.get(), *rules_));
  pending->skills.isFiltered = source_->isFilter();
  // A full listing that repeats what is known is no change.
  if (pending->unread.empty() && before && before->revision == pending->skills.revision &&
      before->documents == pending->skills.documents && before->facts == pending->skills.facts &&
      before->notices == pending->skills.notices)
    finish(before, {});
  else if (run.isChange && run.deadline.passed())
    failTooLate();
  else if (pending->unread.empty())
    finish(std::make_shared<SourceSkills>(std::move(pending->skills)), {});
  else
    read(pending, run);
}

// Keeps everything as it was before the change.
void SourceTracker::failTooLate() {
  finish(nullptr,
         source_->name() + ": a change could not be applied within " +
             std::to_string(rules_->sourceDeadline.count()) + " ms",
         Outcome::Failed);
}

void SourceTracker::failForMemory() noexcept {
  try {
    return finish(nullptr, source_->name() + ": there was no memory for its skills",
                  Outcome::Failed, Fault::MemoryPressure);
  } catch (const std::exception &why) {
    log::failure("skills", {"a refresh of ", source_->name(), " could not end"}, why);
  }
  const std::scoped_lock lock(mutex_);
  if (std::exchange(isRefreshing_, false)) ++finished_;
}

void SourceTracker::read(const std::shared_ptr<PendingSkills> &pending, const Run &run) {
  // Entries are read and parsed on several threads of the executor, each into its own slot.
  struct Slot {
    ReadSkill read;
    // Set if the reading itself failed.
    std::optional<Failure> failure = Failure{Fault::MemoryPressure, "no memory"};
  };
  auto slots = std::make_shared<std::vector<Slot>>(pending->unread.size());
  const auto each = [this, pending, slots](std::size_t i, Result<std::string> bytes) {
    const Document &entry = *pending->unread[i];
    Slot &slot = (*slots)[i];
    if (bytes) {
      slot.read = readSkill(pending->skills, entry, *bytes, *rules_);
      if (entryRead_ && slot.read.skill) entryRead_(*slot.read.skill, *bytes);
      slot.failure.reset();
    } else {
      slot.read.skill = nullptr;
      slot.failure = std::move(bytes).failure();
      slot.read = unreadable(entry, slot.failure->message);
    }
  };
  const auto takeSlots = [self = shared_from_this(), pending, slots, run] {
    const auto late = [](const Slot &slot) {
      return slot.failure && slot.failure->fault == Fault::ToolTimeout;
    };
    if (run.isChange && (run.deadline.passed() || std::any_of(slots->begin(), slots->end(), late)))
      return self->failTooLate();
    auto skills = std::make_shared<SourceSkills>(std::move(pending->skills));
    std::vector<std::string> later; // skills whose reading may succeed another time
    std::string failure;
    bool stale = false;
    for (std::size_t i = 0; i < slots->size(); ++i) {
      const std::string &path = pending->unread[i]->skill;
      Slot &slot = (*slots)[i];
      if (slot.read.skill)
        skills->skills[path] = std::move(slot.read.skill);
      else
        skills->skipped[path] = std::move(slot.read.skipped);
      if (!slot.failure) continue;
      stale = stale || slot.failure->fault == Fault::Stale;
      const Fault fault = slot.failure->fault;
      if (fault != Fault::Unavailable && fault != Fault::ToolTimeout &&
          fault != Fault::MemoryPressure)
        continue;
      later.push_back(path);
      failure = slot.failure->message;
    }
    if (!later.empty()) {
      const auto before = self->skills();
      keepPrevious(*skills, before.get(), later);
      self->finish(skills, failure, Outcome::Failed);
      return;
    }
    // Something changed between listing and reading: publish what is known, then ask again.
    self->finish(skills, {}, stale ? Outcome::Stale : Outcome::Good);
  };
  const auto done = [self = shared_from_this(), takeSlots] {
    try {
      takeSlots();
    } catch (const std::exception &why) {
      log::failure("skills", {"the skills of ", self->source_->name(), " could not be taken"}, why);
      self->failForMemory();
    }
  };
  std::vector<Document> entries;
  entries.reserve(pending->unread.size());
  for (const Document *const entry : pending->unread) entries.push_back(*entry);
  source_->readEach(options(run), std::move(entries), rules_->maxEntryBytes, each, done);
}

std::shared_ptr<const SourceSkills> SourceTracker::skills() const {
  const std::scoped_lock lock(mutex_);
  return skills_;
}

void SourceTracker::finish(const std::shared_ptr<const SourceSkills> &skills,
                           const std::string &failure, Outcome outcome, Fault fault) {
  if (cancel_.cancelled()) return; // stopped: nobody needs the result
  bool again = false, full = false, isNews = false;
  std::shared_ptr<const SourceSkills> before;
  std::optional<std::chrono::milliseconds> later;
  TracePointer trace;
  {
    const std::scoped_lock lock(mutex_);
    before = skills_;
    isNews = failure != failure_;
    if (skills || isInherited_) skills_ = skills;
    isInherited_ = false;
    failure_ = failure;
    fault_ = fault;
    ++finished_;
    const auto now = std::chrono::steady_clock::now();
    took_ = std::chrono::duration_cast<std::chrono::milliseconds>(now - begun_);
    begun_ = now; // for the refresh that may follow at once
    refreshTimes_.last = std::chrono::system_clock::now();
    if (failure.empty()) refreshTimes_.good = refreshTimes_.last;
    later = pause(outcome);
    again = std::exchange(isRefreshWanted_, false);
    full = std::exchange(isFullRefreshWanted_, false);
    trace = std::exchange(againTrace_, nullptr);
    isRefreshing_ = again;
  }
  try {
    countRefresh(source_->name(), failure.empty());
    // The same failure is logged once.
    if (isNews && failure.empty())
      log::info("skills", source_->name() + ": refreshed, after it had failed");
    else if (isNews)
      log::warning("skills", "refresh failed: " + failure);
    if (skills && skills != before) warnOf(*skills, before.get());
  } catch (const std::exception &why) { // the refresh has ended all the same
    log::failure("skills", {"a refresh of ", source_->name(), " could not be logged"}, why);
  }
  onRefreshed_();
  if (again)
    begin(full || !skills, std::move(trace));
  else if (later)
    retry_(*later);
}

std::optional<std::chrono::milliseconds> SourceTracker::pause(Outcome outcome) {
  using namespace std::chrono_literals;
  if (outcome == Outcome::Good) badRuns_ = 0;
  if (outcome == Outcome::Good || source_->isAbsent()) return std::nullopt;
  constexpr int maxDoublings = 20;
  const int doublings = std::min(badRuns_++, maxDoublings);
  const std::chrono::milliseconds first = outcome == Outcome::Stale ? 50ms : 1000ms;
  const std::chrono::milliseconds maxPause = outcome == Outcome::Stale ? 30'000ms : 300'000ms;
  return std::min(maxPause, first * (1 << doublings));
}

SourceResult SourceTracker::result() const {
  const std::scoped_lock lock(mutex_);
  return {.name = source_->name(),
          .skills = skills_,
          .failure = failure_,
          .hasAnswered = finished_ != 0 || skills_ != nullptr,
          .isAbsent = source_->isAbsent(),
          .took = took_,
          .fault = fault_};
}

std::uint64_t SourceTracker::finished() const {
  const std::scoped_lock lock(mutex_);
  return finished_;
}

SourceTracker::RefreshTimes SourceTracker::refreshTimes() const {
  const std::scoped_lock lock(mutex_);
  return refreshTimes_;
}

std::uint64_t SourceTracker::nextRefreshNumber() const {
  // A refresh that runs now may have begun before the change: wait for the one after it.
  const std::scoped_lock lock(mutex_);
  return finished_ + (isRefreshing_ ? 2 : 1);
}

} // namespace skillhost
