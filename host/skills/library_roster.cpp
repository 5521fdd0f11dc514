// SPDX-License-Identifier: Apache-2.0
#include "library_roster.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {

Roster successor(const Roster &before, const std::vector<Library::Next> &sources, Judge judge,
                 const Join &join) {
  Roster next;
  next.reserve(sources.size());
  for (const auto &[source, keepsSkills] : sources) {
    if (judge == Judge::Anew) {
      next.push_back(join(source, nullptr));
      continue;
    }
    MemberPointer same, former;
    for (const MemberPointer &member : before) {
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
    next.push_back(join(source, std::move(known)));
  }
  return next;
}

bool serves(const Roster &roster, const Source *source) {
  return std::any_of(roster.begin(), roster.end(),
                     [&](const MemberPointer &member) { return member->source.get() == source; });
}

Roster judgeHeard(const Roster &before, const Roster &joined) {
  Roster judged;
  for (const MemberPointer &member : joined)
    for (const MemberPointer &former : before) {
      if (former->source != member->source) continue;
      const auto heard = former->tracker->result().skills;
      if (!heard || heard->revision.empty()) continue; // nothing, or skills from another instance
      member->tracker->judge(*heard);
      judged.push_back(member);
    }
  return judged;
}

bool haveFinished(const Roster &members) {
  return std::all_of(members.begin(), members.end(),
                     [](const MemberPointer &member) { return member->tracker->finished() > 0; });
}

void refreshJoined(const Roster &joined, const Roster &judged) {
  for (const MemberPointer &member : joined)
    member->tracker->refresh(std::find(judged.begin(), judged.end(), member) == judged.end());
}

void cancelLeft(const Roster &before, const Roster &next) {
  for (const MemberPointer &member : before)
    if (std::find(next.begin(), next.end(), member) == next.end()) member->cancel.cancel();
}

} // namespace skillhost
