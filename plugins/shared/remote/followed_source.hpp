// SPDX-License-Identifier: Apache-2.0
// This source lists the snapshots that a Follower keeps up to date, and gives the facts about each.
#pragma once

#include "paths/names.hpp"
#include "remote/follower.hpp"
#include "snapshots/history.hpp"

#include <skillhost/facts.hpp>

#include <atomic>
#include <string>
#include <string_view>

namespace skillhost::remote {

template <class Snapshot> class FollowedSource : public skh::Source, public skh::Facts {
public:
  // Lists the known snapshot at once. Only when there is none, it waits for the first refresh.
  void list(const skh::Call &call, const skh::Documents &out) final {
    // At the start this lists the snapshot of the last run at once. A host that lists again wants a
    // new one.
    const bool isAsked = follower().awaitListing(call, hasListed_);
    // If there is no newer snapshot, the host gets the reason and goes on serving its own.
    if (hasListed_ && !history_.hasNewer()) follower().requireGood();
    const auto snapshot = history_.handOut();
    listAll(call, *snapshot, out);
    out.done(snapshot->id);
    hasListed_ = true;
    if (isAsked && !follower().isGood()) host_.changed();
  }

  // Lists the difference of two snapshots. Does not contact the remote.
  void changes(const skh::Call &call, std::string_view since, const skh::Documents &out) final {
    const auto before = history_.find(since);
    if (!before) {
      // A listing would contact the remote, so it is left to hosts that want that.
      follower().requireServing();
      throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
    }
    if (!history_.hasNewer()) follower().requireGood();
    const auto now = history_.handOut();
    listChanges(call, *before, *now, out);
    out.done(now->id);
    if (!follower().isGood()) host_.changed(); // the host then asks again and gets the error
  }

  std::string facts(const skh::Call &call, std::string_view snapshot) final {
    call.point();
    const auto known = history_.find(snapshot);
    if (!known) throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
    return factsAbout(*known);
  }

protected:
  explicit FollowedSource(skh::Host host) : host_(host) {}

  virtual Follower &follower() noexcept = 0;
  virtual void listAll(const skh::Call &call, const Snapshot &snapshot,
                       const skh::Documents &out) = 0;
  virtual void listChanges(const skh::Call &call, const Snapshot &before, const Snapshot &now,
                           const skh::Documents &out) = 0;
  virtual std::string factsAbout(const Snapshot &snapshot) const = 0;

  static void listRemoved(std::string_view skill, std::string_view path,
                          const skh::Documents &out) {
    skh::Document gone;
    gone.skill = skill;
    gone.path = path;
    gone.flags = SKH_DOC_REMOVED;
    out.add(gone);
  }
  static std::string shownName(const skh::Document &which) {
    return paths::printable(paths::joined(which.skill, which.path));
  }
  // Throws unless a kept snapshot has the document in this revision. `isKnown`: a document of that
  // name exists.
  static void requireRevision(bool isKept, bool isKnown, const skh::Document &which) {
    if (!isKnown) throw skh::Error(SKH_NOT_FOUND, "no such document: " + shownName(which));
    if (!isKept) throw skh::Error(SKH_STALE, "another version is there: " + shownName(which));
  }
  // Writes in parts, so that a cancelled call ends soon.
  static void writeBytes(const skh::Call &call, std::string_view bytes, const skh::Bytes &out) {
    constexpr std::size_t maxPartBytes = std::size_t{1} << 22U;
    while (!bytes.empty()) {
      call.point();
      const std::string_view part = bytes.substr(0, maxPartBytes);
      out.write(part);
      bytes.remove_prefix(part.size());
    }
  }

  skh::Host host_;
  snapshots::History<Snapshot> history_;

private:
  std::atomic<bool> hasListed_{false};
};

} // namespace skillhost::remote
