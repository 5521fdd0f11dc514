// SPDX-License-Identifier: Apache-2.0
#include "asking.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t mostOthers = 512; // that answer, listed or not

} // namespace

void UsageAsking::begin() {
  if (!state_->reachable()) return listed(replicas_->lastKnown("the shared state is away"));
  const Json message{{"ask", ask_.question}, {"from", ask_.from},         {"since", ask_.since},
                     {"until", ask_.until},  {"patience", ask_.patience}, {"file", ask_.file}};
  state_->publish(usageChannel, message.dump());
  replicas_->read(
      [self = shared_from_this()](const ReplicaList::Known &known) { self->listed(known); });
}

void UsageAsking::listed(const ReplicaList::Known &known) {
  {
    const std::scoped_lock lock(mutex_);
    for (const auto &[replica, file] : known.files) {
      Other &other = others_[replica];
      if (other.file.empty()) other.file = file;
      if (passesOver_ && other.stage == Stage::Asked) other.stage = Stage::Failed;
    }
    problem_ = known.problem;
    listed_ = true;
  }
  // Nobody can answer while the engine is away.
  if (!state_->reachable()) return end();
  settle();
}

void UsageAsking::told(const UsageTold &told) {
  bool fetches = false;
  {
    const std::scoped_lock lock(mutex_);
    if (over_ || (others_.size() >= mostOthers && !others_.contains(told.from))) return;
    Other &other = others_[told.from];
    if (other.stage != Stage::Asked && other.stage != Stage::Reading) return;
    if (told.isReading) {
      other.stage = Stage::Reading;
      return;
    }
    if (!told.problem.empty()) {
      other.stage = Stage::Failed;
      other.why = told.problem;
    } else if (other.file = told.file; told.parts == 0 && told.bytes == 0)
      other.stage = Stage::There;
    else if (told.bytes > rules_.mostBytes || told.parts > told.bytes ||
             bytes_ + told.bytes > rules_.mostOfAll) {
      other.stage = Stage::Failed;
      other.why = "its figures are more than can be added up";
    } else {
      other.stage = Stage::Fetching;
      other.parts = told.parts;
      other.wanted = told.bytes;
      bytes_ += told.bytes;
      fetches = true;
    }
  }
  if (fetches) return fetch(told.from, 0);
  settle();
}

void UsageAsking::fetch(const std::string &from, std::size_t part) {
  const std::string key = usagePartKey(ask_.question, from, part);
  state_->get(key, {},
              [self = shared_from_this(), from, part,
               key](const Result<std::optional<std::string>> &found) {
                if (found && *found) self->state_->erase(key, std::nullopt, nullptr);
                if (self->fetched(from, found)) return self->fetch(from, part + 1);
                self->settle();
              });
}

// Whether there is more to come.
bool UsageAsking::fetched(const std::string &from, const Result<std::optional<std::string>> &part) {
  const std::scoped_lock lock(mutex_);
  Other &other = others_[from];
  const auto fail = [&](std::string why) {
    other.stage = Stage::Failed;
    other.why = std::move(why);
    other.bytes.clear();
    return false;
  };
  if (over_) return false;
  if (!part) return fail(part.failure().message);
  if (!*part) return fail("its answer has gone");
  other.bytes += **part;
  if (other.bytes.size() > other.wanted || --other.parts == 0) {
    if (other.bytes.size() != other.wanted) return fail("its answer is not whole");
    other.stage = Stage::There;
    return false;
  }
  return true;
}

// Once all that are there have answered.
void UsageAsking::settle() {
  {
    const std::scoped_lock lock(mutex_);
    if (!listed_ || over_) return;
    if (std::any_of(others_.begin(), others_.end(),
                    [](const auto &one) { return isOpen(one.second.stage); }))
      return;
    over_ = true;
  }
  finish();
}

void UsageAsking::passOverSilent() {
  {
    const std::scoped_lock lock(mutex_);
    passesOver_ = true;
    for (auto &[replica, other] : others_)
      if (other.stage == Stage::Asked) other.stage = Stage::Failed;
  }
  settle();
}

void UsageAsking::end() {
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(over_, true)) return;
  }
  if (state_->reachable()) state_->publish(usageChannel, Json{{"over", ask_.question}}.dump());
  finish();
}

// Nothing changes any more: it is over.
void UsageAsking::finish() {
  GatheredUsage gathered;
  gathered.ownFile = ask_.file;
  auto cells = std::make_shared<std::vector<UsageCells>>();
  {
    const std::scoped_lock lock(mutex_);
    if (!listed_) {
      // Whether there are others than before is not known.
      problem_ = "the shared state did not answer in time";
      for (const auto &[replica, file] : replicas_->lastKnown({}).files)
        if (const auto [other, isNew] = others_.try_emplace(replica); isNew)
          other->second.file = file;
    }
    gathered.problem = problem_;
    for (auto &[replica, other] : others_) {
      const bool isThere = other.stage == Stage::There;
      if (!isThere && other.why.empty()) other.why = "it has not answered in time";
      gathered.others.push_back({replica, other.file, isThere, other.why, SIZE_MAX});
      if (!isThere || other.bytes.empty()) continue;
      gathered.others.back().cells = cells->size();
      cells->push_back({other.file, std::move(other.bytes)});
    }
  }
  gathered.cells = std::move(cells);
  done_(std::move(gathered));
}

} // namespace skillhost
