// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include "archive/packed.hpp"
#include "paths/names.hpp"

#include <skillhost/pin.h>

#include <stdexcept>

namespace skillhost::oci_source {
namespace {

constexpr std::size_t writtenAtOnce = std::size_t{1} << 22U; // bytes between two checkpoints

skh::Document told(const Listed &skill, const StoredDocument &document) {
  return {skill.id, document.path, document.revision, document.size, document.flags, {}};
}

struct Owner {
  SnapshotPointer snapshot;                 // keeps the document alive
  const StoredDocument *document = nullptr; // null: no kept snapshot has this revision of it
  bool knew = false;                        // there is a document of that name
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

// With the snapshot that the host holds this source to, when it does.
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
  if (!references) return settings; // too long a list: what is there must be the same
  for (const Reference &one : *references)
    if (!settings.registries.contains(one.registry))
      throw skh::Error(SKH_INVALID, "the snapshot to serve is of a registry that is not in the "
                                    "configuration: " +
                                        one.text());
  // The tags and the catalogue of that time are in it.
  settings.repository.reset();
  settings.catalogue.reset();
  settings.references = *std::move(references);
  settings.origin = "snapshot " + settings.pinned + '\n' + settings.trust;
  return settings;
}

} // namespace

OciSource::OciSource(skh::Host host, const skh::Call & /*call*/)
    : host_(host), settings_(heldSettings(host)), mirror_(host, settings_, history_),
      follower_(host,
                {settings_.about, settings_.refreshEvery, settings_.deadline,
                 settings_.limits.fetchBytes, settings_.awaitNewest},
                mirror_) {}

void OciSource::list(const skh::Call &call, const skh::Documents &out) {
  // At the start what was known last time is listed at once. Who lists again wants what is new.
  const bool isAsked = follower_.awaitListing(call, hasListed_);
  // What the host was given already it goes on serving, and is told why there is nothing newer.
  if (hasListed_ && !history_.hasNews()) follower_.requireGood();
  const SnapshotPointer snapshot = history_.handOut();
  for (const Listed &skill : snapshot->skills) {
    call.point();
    for (const StoredDocument &document : skill.skill->documents) out.add(told(skill, document));
  }
  out.done(snapshot->id);
  hasListed_ = true;
  if (isAsked && !follower_.isGood()) host_.changed();
}

void OciSource::changes(const skh::Call &call, std::string_view since, const skh::Documents &out) {
  const SnapshotPointer before = history_.find(since);
  if (!before) {
    follower_.requireServing(); // a listing would ask the registry, which is for who wants that
    throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
  }
  if (!history_.hasNews()) follower_.requireGood();
  const SnapshotPointer now = history_.handOut();
  compare(*before, *now, [&](const Listed &skill, const StoredDocument &document, bool removed) {
    call.point();
    if (!removed) return out.add(told(skill, document));
    skh::Document gone;
    gone.skill = skill.id;
    gone.path = document.path;
    gone.flags = SKH_DOC_REMOVED;
    out.add(gone);
  });
  out.done(now->id);
  if (!follower_.isGood()) host_.changed(); // it is told when the host asks again
}

std::string OciSource::facts(const skh::Call &call, std::string_view snapshot) {
  call.point();
  const SnapshotPointer known = history_.find(snapshot);
  if (!known) throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
  return factsOf(*known);
}

void OciSource::read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) {
  call.point();
  follower_.awaitFirst(call);
  const Owner owner = ownerOf(history_.all(), which);
  const std::string name = paths::printable(paths::joined(which.skill, which.path));
  if (!owner.knew) throw skh::Error(SKH_NOT_FOUND, "no such document: " + name);
  if (owner.document == nullptr) throw skh::Error(SKH_STALE, "another version is there: " + name);
  std::string bytes;
  try {
    bytes = mirror_.read(*owner.document, name);
  } catch (const skh::Error &) {
    follower_.ask();
    throw;
  }
  for (std::string_view left = bytes; !left.empty();) {
    call.point();
    const std::string_view part = left.substr(0, writtenAtOnce);
    out.write(part);
    left.remove_prefix(part.size());
  }
}

} // namespace skillhost::oci_source
