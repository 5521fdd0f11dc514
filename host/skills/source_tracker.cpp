// SPDX-License-Identifier: Apache-2.0
#include "source_tracker.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace skillhost {
namespace {

void warnOf(const SourceSkills &skills, const SourceSkills *before) {
  for (const auto &[path, findings] : skills.skipped) {
    if (before != nullptr && before->skipped.contains(path)) continue;
    for (const Finding &finding : findings)
      if (finding.severity == Severity::Error)
        log::warning("skills", skills.source + "/" + path + " is not served: " + render(finding));
  }
}

} // namespace

SourceTracker::SourceTracker(std::shared_ptr<Source> source, const SkillRules &rules,
                             CancelToken cancel, std::function<void()> settled, Retry retry)
    : source_(std::move(source)), rules_(rules),
      options_{Deadline::never(), std::move(cancel), nullptr}, settled_(std::move(settled)),
      retry_(std::move(retry)) {}

void SourceTracker::refresh(bool full) {
  {
    const std::scoped_lock lock(mutex_);
    if (busy_) {
      again_ = true;
      againFull_ = againFull_ || full;
      return;
    }
    busy_ = true;
    full = full || !skills_;
  }
  begin(full);
}

void SourceTracker::begin(bool full) {
  const auto self = shared_from_this();
  if (full) {
    source_->list(options_, [self](Result<Snapshot> listed) {
      if (listed)
        self->take(*std::move(listed));
      else
        self->finish(nullptr, listed.failure().message, Outcome::Failed);
    });
    return;
  }
  std::shared_ptr<const SourceSkills> before;
  {
    const std::scoped_lock lock(mutex_);
    before = skills_;
  }
  source_->changes(options_, before->revision, [self, before](Result<Changes> changes) {
    if (!changes && changes.failure().fault == Fault::Stale)
      self->begin(true);
    else if (!changes)
      self->finish(nullptr, changes.failure().message, Outcome::Failed);
    else if (changes->revision == before->revision)
      self->finish(before, {});
    else
      self->take(apply(*before, *std::move(changes)));
  });
}

void SourceTracker::take(Snapshot snapshot) {
  std::shared_ptr<const SourceSkills> before;
  {
    const std::scoped_lock lock(mutex_);
    before = skills_;
  }
  auto pending = std::make_shared<PendingSkills>(
      arrange(source_->name(), std::move(snapshot), before.get(), rules_));
  // A full listing that says what is known already is no change.
  if (pending->unread.empty() && before && before->revision == pending->skills.revision &&
      before->documents == pending->skills.documents)
    finish(before, {});
  else if (pending->unread.empty())
    finish(std::make_shared<SourceSkills>(std::move(pending->skills)), {});
  else
    read(pending);
}

void SourceTracker::read(const std::shared_ptr<PendingSkills> &pending) {
  // Entries are read and parsed on several threads of the lane, each into its own slot.
  auto slots = std::make_shared<std::vector<ReadSkill>>(pending->unread.size());
  auto stale = std::make_shared<std::atomic<bool>>(false);
  const auto each = [this, pending, slots, stale](std::size_t i, Result<std::string> bytes) {
    const Document &entry = pending->unread[i];
    if (bytes) {
      (*slots)[i] = readSkill(pending->skills, entry, *bytes, rules_);
    } else {
      if (bytes.failure().fault == Fault::Stale) *stale = true;
      (*slots)[i] = unreadable(entry, bytes.failure().message);
    }
  };
  const auto done = [self = shared_from_this(), pending, slots, stale] {
    auto skills = std::make_shared<SourceSkills>(std::move(pending->skills));
    for (std::size_t i = 0; i < slots->size(); ++i) {
      const std::string &path = pending->unread[i].skill;
      if ((*slots)[i].skill)
        skills->skills[path] = std::move((*slots)[i].skill);
      else
        skills->skipped[path] = std::move((*slots)[i].skipped);
    }
    // Something changed between listing and reading: what is known goes out, then look again.
    self->finish(skills, {}, *stale ? Outcome::Stale : Outcome::Good);
  };
  source_->readEach(options_, pending->unread, rules_.largestEntry, each, done);
}

void SourceTracker::finish(const std::shared_ptr<const SourceSkills> &skills,
                           const std::string &failure, Outcome outcome) {
  if (options_.cancel.cancelled()) return; // the end: what was found is found out for nobody
  bool again = false, full = false;
  std::shared_ptr<const SourceSkills> before;
  std::optional<std::chrono::milliseconds> later;
  {
    const std::scoped_lock lock(mutex_);
    before = skills_;
    if (skills) skills_ = skills;
    failure_ = failure;
    ++finished_;
    later = pause(outcome);
    again = std::exchange(again_, false);
    full = std::exchange(againFull_, false);
    busy_ = again;
  }
  if (!failure.empty()) log::warning("skills", "refresh failed: " + failure);
  if (skills && skills != before) warnOf(*skills, before.get());
  settled_();
  if (again)
    begin(full || !skills);
  else if (later)
    retry_(*later);
}

std::optional<std::chrono::milliseconds> SourceTracker::pause(Outcome outcome) {
  using namespace std::chrono_literals;
  if (outcome == Outcome::Good) {
    badRuns_ = 0;
    return std::nullopt;
  }
  constexpr int mostDoublings = 20;
  const int doublings = std::min(badRuns_++, mostDoublings);
  const std::chrono::milliseconds first = outcome == Outcome::Stale ? 50ms : 1000ms;
  const std::chrono::milliseconds longest = outcome == Outcome::Stale ? 30'000ms : 300'000ms;
  return std::min(longest, first * (1 << doublings));
}

SourceResult SourceTracker::result() const {
  const std::scoped_lock lock(mutex_);
  return {source_->name(), skills_, failure_};
}

std::uint64_t SourceTracker::finished() const {
  const std::scoped_lock lock(mutex_);
  return finished_;
}

std::uint64_t SourceTracker::doneBy() const {
  // A refresh that runs now may have begun before the change: wait for the one after it.
  const std::scoped_lock lock(mutex_);
  return finished_ + (busy_ ? 2 : 1);
}

} // namespace skillhost
