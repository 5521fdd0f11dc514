// SPDX-License-Identifier: Apache-2.0
// Unpacks the file that an entry of the index names into the files of a skill.
#pragma once

#include "settings.hpp"
#include "snapshot.hpp"

#include "archive/packed.hpp"

#include <list>
#include <memory>
#include <mutex>

namespace skillhost::well_known {

struct Artefact {
  std::string digest; // SHA-256 of the file, 64 hexadecimal digits
  ArtefactKind kind = ArtefactKind::document;
  std::vector<archive::PackedFile> files; // sorted by path
};
using ArtefactPointer = std::shared_ptr<const Artefact>;

// Returns the files in `bytes`, whose digest is that of `entry`. Throws std::runtime_error with the
// fault: an archive needs a SKILL.md at its root and names that can be served and differ in more
// than case or Unicode form, and must keep the limits.
ArtefactPointer unpack(const IndexEntry &entry, const std::string &bytes, const Limits &limits);

// `fetched` is the time of the fetch in Unix seconds.
SkillPointer describe(const IndexEntry &entry, const Artefact &artefact, std::int64_t fetched);

// Keeps recently read artefacts, so that the files of one skill are not unpacked again for each.
// Any thread may use it.
class Unpacked {
public:
  // Holds at most that many bytes, or one artefact.
  explicit Unpacked(std::size_t maxBytes) : maxBytes_(maxBytes) {}

  void add(ArtefactPointer artefact);
  ArtefactPointer find(const IndexEntry &entry); // nullptr if it is not, or no longer, held

private:
  const std::size_t maxBytes_;
  std::mutex mutex_;
  std::list<ArtefactPointer> artefacts_; // most recently used first
};

} // namespace skillhost::well_known
