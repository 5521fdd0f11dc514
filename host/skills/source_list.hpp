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
struct ServedSource {
  std::shared_ptr<Source> source;
  std::shared_ptr<SourceTracker> tracker;
  CancelToken cancel; // cancels the tracker's calls
};
using ServedSourcePointer = std::shared_ptr<ServedSource>;
using SourceList = std::vector<ServedSourcePointer>; // in the order of the configuration
using SourceListPointer = std::shared_ptr<const SourceList>;

// Returns the list of these sources: a source in `before` keeps its member, and `makeServed` makes
// the others. `known` holds the skills that are served until the source has been listed; it may be
// null. With Evaluation::All, `makeServed` makes all members, and `known` is null.
using MakeServed = std::function<ServedSourcePointer(std::shared_ptr<Source> source,
                                                     std::shared_ptr<const SourceSkills> known)>;
enum class Evaluation : std::uint8_t { OnlyNew, All };
SourceList nextSourceList(const SourceList &before, const std::vector<Library::NewSource> &sources,
                          Evaluation evaluation, const MakeServed &makeServed);

bool contains(const SourceList &sourceList, const Source *source);

// Lets members of `joined` evaluate the skills that a member of `before` holds for the same source.
// Returns the members that do.
SourceList evaluateListed(const SourceList &before, const SourceList &joined);
bool haveAllFinished(const SourceList &members);
// Lists the sources of members that have evaluated nothing yet, and asks the others for later
// changes.
void refreshJoined(const SourceList &joined, const SourceList &evaluated);

// Cancels the calls of the members that `next` does not have.
void cancelRemoved(const SourceList &before, const SourceList &next);

} // namespace skillhost
