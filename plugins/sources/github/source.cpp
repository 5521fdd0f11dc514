// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include "paths/names.hpp"

#include <skillhost/pin.h>

namespace skillhost::github {
namespace {

// Reads the settings and applies the commit to which the host has pinned this source, if any.
Settings pinned(skh::Host host) {
  Settings settings(host.config());
  const auto *const pin = host.extension<skh_pin>(SKH_PIN);
  if (pin == nullptr || pin->mode == SKH_PIN_FREE) return settings;
  settings.mayTurnToApi = false; // as with `pin`, see readMayTurnToApi()
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

struct Found {
  SnapshotPointer snapshot; // keeps the objects behind the pointers alive
  const Origin *origin = nullptr;
  const StoredDocument *document = nullptr; // null: no kept snapshot has this revision
  bool knew = false;                        // a document of that name exists
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
    : FollowedSource(host), settings_(pinned(host)), mirror_(host, settings_),
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

void GithubSource::listAll(const skh::Call &call, const Snapshot &snapshot,
                           const skh::Documents &out) {
  std::string location;
  for (const StoredSkill &skill : snapshot.skills) {
    call.point();
    for (const StoredDocument &document : skill.documents)
      out.add(describe(snapshot, skill, document, location));
  }
}

void GithubSource::listChanges(const skh::Call &call, const Snapshot &before, const Snapshot &now,
                               const skh::Documents &out) {
  std::string location;
  compare(before, now, [&](const Difference &difference) {
    call.point();
    if (difference.removed)
      listRemoved(difference.skill.id, difference.document.path, out);
    else
      out.add(describe(now, difference.skill, difference.document, location));
  });
}

void GithubSource::read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) {
  call.point();
  follower_.awaitFirst(call);
  const Found found = find(history_.all(), which);
  requireRevision(found.document != nullptr, found.knew, which);
  const auto sink = [&](std::string_view bytes) { writeBytes(call, bytes, out); };
  mirror_.read(found.origin->repository, found.document->blob, sink);
}

} // namespace skillhost::github
