// SPDX-License-Identifier: Apache-2.0
// The artefacts of registries that are in the cache, their skills, and the snapshot given to the
// host. Immutable once built and shared between threads.
#pragma once

#include "settings.hpp"

#include "snapshots/history.hpp"

#include <functional>
#include <memory>

namespace skillhost::oci_source {

struct StoredDocument {
  std::string path;        // relative to the skill
  std::string revision;    // SHA-256 of its bytes, 64 hexadecimal digits
  std::uint64_t size = 0;  // bytes
  std::uint32_t flags = 0; // SKH_DOC_*
};

struct StoredSkill {
  std::string folder;                    // folder in the artefact; "": its root
  std::vector<StoredDocument> documents; // sorted by path
};

struct Artefact {
  Reference reference;             // reference that is followed
  std::string digest;              // digest that it names
  std::vector<std::string> layers; // digests, which are kept as long as the artefact
  std::vector<StoredSkill> skills;
  std::string signer;       // trusted key that has signed it; "": no signature is required
  std::int64_t fetched = 0; // Unix seconds of the fetch; 0: unknown
};
using ArtefactPointer = std::shared_ptr<const Artefact>;

struct Listed {
  std::string id;
  ArtefactPointer artefact;
  const StoredSkill *skill = nullptr; // a skill of the artefact
};

struct Snapshot {
  std::string id;                   // see snapshotId()
  std::vector<Listed> skills;       // sorted by id
  std::vector<std::string> leftOut; // skills left out because another one has their id

  const Listed *find(std::string_view skill) const noexcept;
};
using SnapshotPointer = std::shared_ptr<const Snapshot>;
using History = snapshots::History<Snapshot>;

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept;

// Returns the references with their digests, separated by blanks, from which the same snapshot can
// be fetched again. If that is too long for a host, it is the digest of the list: "list:" and 64
// hexadecimal digits.
std::string snapshotId(const std::vector<ArtefactPointer> &artefacts);
// Returns the references in such an id; nothing if it is not a list of references.
std::optional<std::vector<Reference>> referencesIn(std::string_view snapshot);

// Builds a snapshot, in the order of the artefacts. Artefacts with equal names get a tag, digest or
// registry added, except one that the configuration names. Skills outside of the selection are left
// out.
SnapshotPointer makeSnapshot(const std::vector<ArtefactPointer> &artefacts,
                             const Settings &settings);

// Returns the facts of all skills in the format of skillhost/facts.h.
std::string factsOf(const Snapshot &snapshot);

// Reports what must be removed from `before` and added to get `after`.
void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const Listed &, const StoredDocument &, bool removed)> &tell);

} // namespace skillhost::oci_source
