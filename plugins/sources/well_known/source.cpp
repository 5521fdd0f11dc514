// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include "archive/packed.hpp"
#include "ground/sha256.hpp"
#include "paths/names.hpp"

#include <algorithm>
#include <stdexcept>

namespace skillhost::well_known {
namespace {

constexpr std::size_t largestWrite = std::size_t{1} << 22U; // bytes between two checkpoints

skh::Document told(const StoredSkill &skill, const StoredDocument &document) {
  // An archive is no page that shows the document.
  const bool isPage = skill.entry.kind == ArtefactKind::document &&
                      std::string_view(skill.entry.url).starts_with("https://");
  return {skill.entry.name, document.path,  document.revision,
          document.size,    document.flags, isPage ? skill.entry.url : std::string_view{}};
}

// The skill that has the document in this revision, in any of these; nullptr when there is none.
// `knew` says whether there is a document of that name at all.
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

} // namespace

WellKnownSource::WellKnownSource(skh::Host host, const skh::Call & /*call*/)
    : host_(host), settings_(checkedSettings(host)), mirror_(host, settings_, history_),
      follower_(host,
                {settings_.indexUrl, settings_.refreshEvery, settings_.deadline,
                 settings_.limits.maxFetchBytes},
                mirror_) {}

void WellKnownSource::list(const skh::Call &call, const skh::Documents &out) {
  // At the start what was known last time is listed at once. Who lists again wants what is new.
  const bool isAsked = follower_.awaitListing(call, hasListed_);
  // What the host was given already it goes on serving, and is told why there is nothing newer.
  if (hasListed_ && !history_.hasNews()) follower_.requireGood();
  const SnapshotPointer snapshot = history_.handOut();
  for (const SkillPointer &skill : snapshot->skills) {
    call.point();
    for (const StoredDocument &document : skill->documents) out.add(told(*skill, document));
  }
  out.done(snapshot->id);
  hasListed_ = true;
  if (isAsked && !follower_.isGood()) host_.changed();
}

void WellKnownSource::changes(const skh::Call &call, std::string_view since,
                              const skh::Documents &out) {
  const SnapshotPointer before = history_.find(since);
  if (!before) {
    follower_.requireServing(); // a listing would ask the remote, which is for who wants that
    throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
  }
  if (!history_.hasNews()) follower_.requireGood();
  const SnapshotPointer now = history_.handOut();
  compare(*before, *now,
          [&](const StoredSkill &skill, const StoredDocument &document, bool removed) {
            call.point();
            if (!removed) return out.add(told(skill, document));
            skh::Document gone;
            gone.skill = skill.entry.name;
            gone.path = document.path;
            gone.flags = SKH_DOC_REMOVED;
            out.add(gone);
          });
  out.done(now->id);
  if (!follower_.isGood()) host_.changed(); // it is told when the host asks again
}

std::string WellKnownSource::facts(const skh::Call &call, std::string_view snapshot) {
  call.point();
  const SnapshotPointer known = history_.find(snapshot);
  if (!known) throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
  return factsOf(*known);
}

void WellKnownSource::read(const skh::Call &call, const skh::Document &which,
                           const skh::Bytes &out) {
  call.point();
  follower_.awaitFirst(call);
  bool knew = false;
  const SkillPointer skill = ownerIn(history_.all(), which, knew);
  const std::string name = paths::printable(paths::joined(which.skill, which.path));
  if (!knew) throw skh::Error(SKH_NOT_FOUND, "no such document: " + name);
  if (!skill) throw skh::Error(SKH_STALE, "another version is there: " + name);
  ArtefactPointer artefact;
  try {
    artefact = mirror_.read(*skill);
  } catch (const skh::Error &) {
    follower_.ask();
    throw;
  }
  const auto file = std::lower_bound(
      artefact->files.begin(), artefact->files.end(), which.path,
      [](const archive::PackedFile &one, std::string_view path) { return one.path < path; });
  if (file == artefact->files.end() || file->path != which.path ||
      sha256Hex(file->bytes) != which.revision)
    throw skh::Error(SKH_CORRUPT, "the cache tells of another document: " + name);
  std::string_view bytes = file->bytes;
  while (!bytes.empty()) {
    call.point();
    const std::string_view part = bytes.substr(0, largestWrite);
    out.write(part);
    bytes.remove_prefix(part.size());
  }
}

} // namespace skillhost::well_known
