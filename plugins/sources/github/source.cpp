// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include "paths/names.hpp"

#include <skillhost/pin.h>

namespace skillhost::github {
namespace {

// With the commit that the host holds this source to, when it does.
Settings pinned(skh::Host host) {
  Settings settings(host.config());
  const auto *const pin = host.extension<skh_pin>(SKH_PIN);
  if (pin == nullptr || pin->mode == SKH_PIN_FREE) return settings;
  settings.mayTurnToApi = false; // see readMayTurnToApi(): a lock is a pin too
  settings.awaitNewest = pin->mode == SKH_PIN_NEWEST;
  if (pin->mode != SKH_PIN_SNAPSHOT) return settings;
  std::optional<std::vector<std::string>> commits = commitsOf(skh::view(pin->snapshot));
  if (!commits)
    throw skh::Error(SKH_INVALID, "the snapshot to serve is no commit: " +
                                      paths::printable(skh::view(pin->snapshot)));
  const std::string commit = commits->front();
  commits->erase(commits->begin());
  if (!settings.pin.empty() && settings.pin != commit)
    throw skh::Error(SKH_INVALID,
                     "pin: is " + settings.pin + ", and the snapshot to serve is commit " + commit);
  settings.pin = commit;
  settings.marketplacePins = std::move(commits);
  settings.pinned = commitsIn(skh::view(pin->snapshot));
  return settings;
}

constexpr std::size_t largestWrite = std::size_t{1} << 22U; // bytes between two checkpoints

struct Found {
  SnapshotPointer snapshot; // keeps the others alive
  const Origin *origin = nullptr;
  const StoredDocument *document = nullptr; // null: no kept snapshot has this revision of it
  bool knew = false;                        // there is a document of that name
};

Found find(const std::vector<SnapshotPointer> &kept, const skh::Document &which) {
  Found found;
  for (const SnapshotPointer &one : kept) {
    const StoredSkill *const skill = one->find(which.skill);
    const StoredDocument *const document =
        skill == nullptr ? nullptr : findDocument(*skill, which.path);
    found.knew = found.knew || document != nullptr;
    if (document != nullptr && document->blob == which.revision)
      return {one, &one->origin(*skill), document, true};
  }
  return found;
}

} // namespace

GithubSource::GithubSource(skh::Host host, const skh::Call & /*call*/)
    : host_(host), settings_(pinned(host)), mirror_(host, settings_),
      followed_(host, settings_, mirror_, history_),
      follower_(host,
                {settings_.address.url, settings_.refreshEvery, settings_.deadline,
                 settings_.limits.maxFetchBytes, settings_.awaitNewest},
                followed_) {}

skh::Document GithubSource::describe(const Snapshot &snapshot, const StoredSkill &skill,
                                     const StoredDocument &document, std::string &location) {
  location.clear();
  if ((document.flags & SKH_DOC_ENTRY) != 0) {
    const Origin &origin = snapshot.origin(skill);
    location = origin.hasPlaces ? paths::joined(origin.page, document.place) : origin.page;
  }
  return {skill.id, document.path, document.blob, document.size, document.flags, location};
}

void GithubSource::list(const skh::Call &call, const skh::Documents &out) {
  // At the start what was known last time is listed at once. Who lists again wants what is new.
  const bool isAsked = follower_.awaitListing(call, hasListed_);
  // What the host was given already it goes on serving, and is told why there is nothing newer.
  if (hasListed_ && !history_.hasNews()) follower_.requireGood();
  const SnapshotPointer snapshot = history_.handOut();
  std::string location;
  for (const StoredSkill &skill : snapshot->skills) {
    call.point();
    for (const StoredDocument &document : skill.documents)
      out.add(describe(*snapshot, skill, document, location));
  }
  out.done(snapshot->id);
  hasListed_ = true;
  if (isAsked && !follower_.isGood()) host_.changed();
}

void GithubSource::changes(const skh::Call &call, std::string_view since,
                           const skh::Documents &out) {
  const SnapshotPointer before = history_.find(since);
  if (!before) {
    follower_.requireServing(); // a listing would ask the remote, which is for who wants that
    throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
  }
  if (!history_.hasNews()) follower_.requireGood();
  const SnapshotPointer now = history_.handOut();
  std::string location;
  compare(*before, *now, [&](const Difference &difference) {
    call.point();
    if (!difference.removed)
      return out.add(describe(*now, difference.skill, difference.document, location));
    skh::Document gone;
    gone.skill = difference.skill.id;
    gone.path = difference.document.path;
    gone.flags = SKH_DOC_REMOVED;
    out.add(gone);
  });
  out.done(now->id);
  if (!follower_.isGood()) host_.changed(); // it is told when the host asks again
}

std::string GithubSource::facts(const skh::Call &call, std::string_view snapshot) {
  call.point();
  const SnapshotPointer known = history_.find(snapshot);
  if (!known) throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
  return factsOf(*known);
}

void GithubSource::read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) {
  call.point();
  follower_.awaitFirst(call);
  const Found found = find(history_.all(), which);
  const std::string name = paths::joined(which.skill, which.path);
  if (!found.knew) throw skh::Error(SKH_NOT_FOUND, "no such document: " + paths::printable(name));
  if (found.document == nullptr)
    throw skh::Error(SKH_STALE, "another version is there: " + paths::printable(name));
  const auto sink = [&](std::string_view bytes) {
    while (!bytes.empty()) {
      call.point();
      const std::string_view part = bytes.substr(0, largestWrite);
      out.write(part);
      bytes.remove_prefix(part.size());
    }
  };
  mirror_.read(found.origin->repository, found.document->blob, sink);
}

} // namespace skillhost::github
