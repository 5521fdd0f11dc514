// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include "archive/packed.hpp"
#include "paths/names.hpp"

#include <skillhost/pin.h>

#include <stdexcept>

namespace skillhost::oci_source {
namespace {

skh::Document documentOf(const Listed &skill, const StoredDocument &document) {
  return {skill.id, document.path, document.revision, document.size, document.flags, {}};
}

struct Owner {
  SnapshotPointer snapshot;                 // keeps the document alive
  const StoredDocument *document = nullptr; // null: no kept snapshot has this revision
  bool knew = false;                        // a document of that name exists
};

Owner ownerOf(const std::vector<SnapshotPointer> &kept, const skh::Document &which) {
  Owner owner;
  for (const SnapshotPointer &one : kept) {
    const Listed *const skill = one->find(which.skill);
    const StoredDocument *const document =
        skill == nullptr ? nullptr : findDocument(*skill->skill, which.path);
    owner.knew = owner.knew || document != nullptr;
    if (document != nullptr && document->revision == which.revision) return {one, document, true};
  }
  return owner;
}

// Reads the settings and applies the snapshot to which the host has pinned this source, if any.
Settings heldSettings(skh::Host host) {
  Settings settings(host.config());
  try {
    archive::requireLibrary();
  } catch (const std::runtime_error &error) {
    throw skh::Error(SKH_UNAVAILABLE, error.what());
  }
  const auto *const pin = host.extension<skh_pin>(SKH_PIN);
  if (pin == nullptr || pin->mode == SKH_PIN_FREE) return settings;
  settings.awaitNewest = pin->mode == SKH_PIN_NEWEST;
  if (pin->mode != SKH_PIN_SNAPSHOT) return settings;
  settings.pinned = skh::view(pin->snapshot);
  std::optional<std::vector<Reference>> references = referencesIn(settings.pinned);
  if (!references) return settings; // the list is too long: the present content must be the same
  for (const Reference &one : *references)
    if (!settings.registries.contains(one.registry))
      throw skh::Error(SKH_INVALID, "the snapshot to serve is of a registry that is not in the "
                                    "configuration: " +
                                        one.text());
  // The pinned snapshot already contains the tags and the catalogue of its time.
  settings.repository.reset();
  settings.catalogue.reset();
  settings.references = *std::move(references);
  settings.origin = "snapshot " + settings.pinned + '\n' + settings.trust;
  return settings;
}

remote::FollowRules rulesOf(const Settings &settings) {
  return {settings.about, settings.refreshEvery, settings.deadline, settings.limits.fetchBytes,
          settings.awaitNewest};
}

} // namespace

OciSource::OciSource(skh::Host host, const skh::Call & /*call*/)
    : MirroredSource(host, heldSettings(host), &rulesOf) {}

void OciSource::listAll(const skh::Call &call, const Snapshot &snapshot,
                        const skh::Documents &out) {
  for (const Listed &skill : snapshot.skills) {
    call.point();
    for (const StoredDocument &document : skill.skill->documents)
      out.add(documentOf(skill, document));
  }
}

void OciSource::listChanges(const skh::Call &call, const Snapshot &before, const Snapshot &now,
                            const skh::Documents &out) {
  compare(before, now, [&](const Listed &skill, const StoredDocument &document, bool removed) {
    call.point();
    if (removed)
      listRemoved(skill.id, document.path, out);
    else
      out.add(documentOf(skill, document));
  });
}

void OciSource::read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) {
  call.point();
  follower_.awaitFirst(call);
  const Owner owner = ownerOf(history_.all(), which);
  requireRevision(owner.document != nullptr, owner.knew, which);
  std::string bytes;
  try {
    bytes = mirror_.read(*owner.document, shownName(which));
  } catch (const skh::Error &) {
    follower_.requestRefresh();
    throw;
  }
  writeBytes(call, bytes, out);
}

} // namespace skillhost::oci_source
