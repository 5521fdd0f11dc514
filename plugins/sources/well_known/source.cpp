// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include "archive/packed.hpp"
#include "ground/sha256.hpp"
#include "paths/names.hpp"

#include <algorithm>
#include <stdexcept>

namespace skillhost::well_known {
namespace {

skh::Document documentOf(const StoredSkill &skill, const StoredDocument &document) {
  // An archive is not a page that shows the document.
  const bool isPage = skill.entry.kind == ArtefactKind::document &&
                      std::string_view(skill.entry.url).starts_with("https://");
  return {skill.entry.name, document.path,  document.revision,
          document.size,    document.flags, isPage ? skill.entry.url : std::string_view{}};
}

// Returns the skill that has the document in this revision, in any of these snapshots; nullptr if
// there is none. `knew` is set to whether a document of that name exists at all.
SkillPointer ownerIn(const std::vector<SnapshotPointer> &kept, const skh::Document &which,
                     bool &knew) {
  for (const SnapshotPointer &one : kept) {
    const SkillPointer owner = one->find(which.skill);
    const StoredDocument *const document = owner ? findDocument(*owner, which.path) : nullptr;
    knew = knew || document != nullptr;
    if (document != nullptr && document->revision == which.revision) return owner;
  }
  return nullptr;
}

Settings checkedSettings(skh::Host host) {
  Settings settings(host.config());
  try {
    archive::requireLibrary();
  } catch (const std::runtime_error &error) {
    throw skh::Error(SKH_UNAVAILABLE, error.what());
  }
  return settings;
}

remote::FollowRules rulesOf(const Settings &settings) {
  return {settings.indexUrl, settings.refreshEvery, settings.deadline,
          settings.limits.maxFetchBytes};
}

} // namespace

WellKnownSource::WellKnownSource(skh::Host host, const skh::Call & /*call*/)
    : MirroredSource(host, checkedSettings(host), &rulesOf) {}

void WellKnownSource::listAll(const skh::Call &call, const Snapshot &snapshot,
                              const skh::Documents &out) {
  for (const SkillPointer &skill : snapshot.skills) {
    call.point();
    for (const StoredDocument &document : skill->documents) out.add(documentOf(*skill, document));
  }
}

void WellKnownSource::listChanges(const skh::Call &call, const Snapshot &before,
                                  const Snapshot &now, const skh::Documents &out) {
  compare(before, now, [&](const StoredSkill &skill, const StoredDocument &document, bool removed) {
    call.point();
    if (removed)
      listRemoved(skill.entry.name, document.path, out);
    else
      out.add(documentOf(skill, document));
  });
}

void WellKnownSource::read(const skh::Call &call, const skh::Document &which,
                           const skh::Bytes &out) {
  call.point();
  follower_.awaitFirst(call);
  bool knew = false;
  const SkillPointer skill = ownerIn(history_.all(), which, knew);
  requireRevision(skill != nullptr, knew, which);
  ArtefactPointer artefact;
  try {
    artefact = mirror_.read(*skill);
  } catch (const skh::Error &) {
    follower_.requestRefresh();
    throw;
  }
  const auto file = std::lower_bound(
      artefact->files.begin(), artefact->files.end(), which.path,
      [](const archive::PackedFile &one, std::string_view path) { return one.path < path; });
  if (file == artefact->files.end() || file->path != which.path ||
      sha256Hex(file->bytes) != which.revision)
    throw skh::Error(SKH_CORRUPT, "the cache tells of another document: " + shownName(which));
  writeBytes(call, file->bytes, out);
}

} // namespace skillhost::well_known
