// SPDX-License-Identifier: Apache-2.0
#include "source_list.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {

SourceList nextSourceList(const SourceList &before, const std::vector<Library::NewSource> &sources,
                          Evaluation evaluation, const MakeServed &makeServed) {
  SourceList next;
  next.reserve(sources.size());
  for (const auto &[source, keepsSkills] : sources) {
    if (evaluation == Evaluation::All) {
      next.push_back(makeServed(source, nullptr));
      continue;
    }
    ServedSourcePointer same, former;
    for (const ServedSourcePointer &member : before) {
      if (member->source == source) same = member;
      if (member->source->name() == source->name()) former = member;
    }
    if (same) {
      next.push_back(std::move(same));
      continue;
    }
    std::shared_ptr<SourceSkills> known;
    const auto skills = keepsSkills && former ? former->tracker->result().skills : nullptr;
    if (skills) {
      known = std::make_shared<SourceSkills>(*skills);
      known->revision.clear(); // of another instance, so the source is listed whole until that
                               // succeeds
    }
    next.push_back(makeServed(source, std::move(known)));
  }
  return next;
}

bool contains(const SourceList &sourceList, const Source *source) {
  return std::any_of(sourceList.begin(), sourceList.end(), [&](const ServedSourcePointer &member) {
    return member->source.get() == source;
  });
}

SourceList evaluateListed(const SourceList &before, const SourceList &joined) {
  SourceList evaluated;
  for (const ServedSourcePointer &member : joined)
    for (const ServedSourcePointer &former : before) {
      if (former->source != member->source) continue;
      const auto listed = former->tracker->result().skills;
      if (!listed || listed->revision.empty()) continue; // nothing, or skills from another instance
      member->tracker->evaluate(*listed);
      evaluated.push_back(member);
    }
  return evaluated;
}

bool haveAllFinished(const SourceList &members) {
  return std::all_of(members.begin(), members.end(), [](const ServedSourcePointer &member) {
    return member->tracker->finished() > 0;
  });
}

void refreshJoined(const SourceList &joined, const SourceList &evaluated) {
  for (const ServedSourcePointer &member : joined)
    member->tracker->refresh(std::find(evaluated.begin(), evaluated.end(), member) ==
                             evaluated.end());
}

void cancelRemoved(const SourceList &before, const SourceList &next) {
  for (const ServedSourcePointer &member : before)
    if (std::find(next.begin(), next.end(), member) == next.end()) member->cancel.cancel();
}

} // namespace skillhost
