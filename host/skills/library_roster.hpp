// SPDX-License-Identifier: Apache-2.0
// The sources that a library serves at one moment.
#pragma once

#include "ground/cancel.hpp"
#include "skills/library.hpp"
#include "source_tracker.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace skillhost {

// A source that is served.
struct Member {
  std::shared_ptr<Source> source;
  std::shared_ptr<SourceTracker> tracker;
  CancelToken cancel; // of what the tracker has asked for
};
using MemberPointer = std::shared_ptr<Member>;
using Roster = std::vector<MemberPointer>; // in the order of the configuration
using RosterPointer = std::shared_ptr<const Roster>;

// The roster of these sources: what is in `before` stays the same member, `join` makes the others.
// `known` is what is served of it until it has been listed; it may be null. Judged anew, all are
// made, and `known` is null.
using Join = std::function<MemberPointer(std::shared_ptr<Source> source,
                                         std::shared_ptr<const SourceSkills> known)>;
enum class Judge : std::uint8_t { OnlyNew, Anew };
Roster successor(const Roster &before, const std::vector<Library::Next> &sources, Judge judge,
                 const Join &join);

bool serves(const Roster &roster, const Source *source);

// Has those of `joined` judge what a member of `before` has heard of the same source; returns them.
Roster judgeHeard(const Roster &before, const Roster &joined);
bool haveFinished(const Roster &members);
// The first look of those that have judged nothing yet; the others ask for what came meanwhile.
void refreshJoined(const Roster &joined, const Roster &judged);

// Gives up what is asked of the members that `next` does not have.
void cancelLeft(const Roster &before, const Roster &next);

} // namespace skillhost
