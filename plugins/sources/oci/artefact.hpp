// SPDX-License-Identifier: Apache-2.0
// What registries offer and is at hand: artefacts with their skills, and what the host is given of
// them. Immutable once built, shared between threads.
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
  std::string folder;                    // of the artefact; "": its root
  std::vector<StoredDocument> documents; // by path
};

struct Artefact {
  Reference reference;             // as it is followed
  std::string digest;              // of what it names
  std::vector<std::string> layers; // digests, which are kept as long as it is
  std::vector<StoredSkill> skills;
  std::string signer;       // which of the trusted keys has signed it; "": none was asked for
  std::int64_t fetched = 0; // Unix seconds: when it came; 0: not known
};
using ArtefactPointer = std::shared_ptr<const Artefact>;

struct Listed {
  std::string id;
  ArtefactPointer artefact;
  const StoredSkill *skill = nullptr; // of the artefact
};

struct Snapshot {
  std::string id;                   // see snapshotId()
  std::vector<Listed> skills;       // by id
  std::vector<std::string> leftOut; // which skills, because another one has their id

  const Listed *find(std::string_view skill) const noexcept;
};
using SnapshotPointer = std::shared_ptr<const Snapshot>;
using History = snapshots::History<Snapshot>;

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept;

// The references with their digests, parted by blanks: whoever has it can have the same again.
// Where that is too long for a host it is their digest alone, "list:" and 64 hexadecimal digits.
std::string snapshotId(const std::vector<ArtefactPointer> &artefacts);
// What such an id names; nothing when it is no such list.
std::optional<std::vector<Reference>> referencesIn(std::string_view snapshot);

// In the order of the artefacts. Two of one name are told apart by tag, digest and registry, but
// for one that the configuration names by itself. What the selection does not take is left out.
SnapshotPointer makeSnapshot(const std::vector<ArtefactPointer> &artefacts,
                             const Settings &settings);

// The facts of all skills, as skillhost/facts.h wants them.
std::string factsOf(const Snapshot &snapshot);

// Tells what must be removed from `before` and put to make `after`.
void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const Listed &, const StoredDocument &, bool removed)> &tell);

} // namespace skillhost::oci_source
