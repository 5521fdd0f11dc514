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
  CancelToken cancel; // cancels the tracker's calls
};
using MemberPointer = std::shared_ptr<Member>;
using Roster = std::vector<MemberPointer>; // in the order of the configuration
using RosterPointer = std::shared_ptr<const Roster>;

// Returns the roster of these sources: a source in `before` keeps its member, and `join` makes the
// others. `known` holds the skills that are served until the source has been listed; it may be
// null. With Judge::Anew, `join` makes all members, and `known` is null.
using Join = std::function<MemberPointer(std::shared_ptr<Source> source,
                                         std::shared_ptr<const SourceSkills> known)>;
enum class Judge : std::uint8_t { OnlyNew, Anew };
Roster successor(const Roster &before, const std::vector<Library::Next> &sources, Judge judge,
                 const Join &join);

bool serves(const Roster &roster, const Source *source);

// Lets members of `joined` judge the skills that a member of `before` holds for the same source.
// Returns the members that do.
Roster judgeHeard(const Roster &before, const Roster &joined);
bool haveFinished(const Roster &members);
// Lists the sources of members that have judged nothing yet, and asks the others for later changes.
void refreshJoined(const Roster &joined, const Roster &judged);

// Cancels the calls of the members that `next` does not have.
void cancelLeft(const Roster &before, const Roster &next);

} // namespace skillhost
