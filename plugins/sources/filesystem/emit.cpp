// SPDX-License-Identifier: Apache-2.0
#include "emit.hpp"

#include "file_content.hpp"
#include "paths/names.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

namespace skillhost::filesystem {
namespace {

constexpr std::size_t maxWriteBytes = 1U << 22U; // bytes written between two checkpoints

class Emitter {
public:
  Emitter(const skh::Documents &out, const Checkpoint &checkpoint)
      : out_(out), checkpoint_(checkpoint) {}

  void put(const StoredSkill &skill, const StoredDocument &document) {
    step();
    location_ = skill.root->path;
    for (const std::string &part : {std::cref(skill.folder), std::cref(document.path)}) {
      if (part.empty()) continue;
      if (location_.back() != '/') location_ += '/';
      location_ += part;
    }
    out_.add({skill.id, document.path, document.revision.view(), document.identity.size,
              document.flags, location_});
  }

  void remove(const StoredSkill &skill, const StoredDocument &document) {
    step();
    skh::Document gone;
    gone.skill = skill.id;
    gone.path = document.path;
    gone.flags = SKH_DOC_REMOVED;
    out_.add(gone);
  }

private:
  void step() {
    if (++count_ % 256 == 0) checkpoint_();
  }

  const skh::Documents &out_;
  const Checkpoint &checkpoint_;
  std::string location_; // reused, so that all documents need one allocation
  std::size_t count_ = 0;
};

std::string describe(const FoundDocument &found) {
  return paths::joined(found.skill->id, found.document->path);
}

[[noreturn]] void stale(const FoundDocument &found) {
  throw skh::Error(SKH_STALE, "changed since it was listed: " + describe(found));
}

[[noreturn]] void cannotOpen(const FoundDocument &found, int error) {
  const std::string message = "cannot open " + describe(found) + ": " + std::strerror(error);
  switch (error) {
  case EACCES:
  case EPERM:
    throw skh::Error(SKH_DENIED, message);
  case EMFILE:
  case ENFILE:
  case ENOMEM:
    throw skh::Error(SKH_UNAVAILABLE, message);
  case EIO:
    throw skh::Error(SKH_FAILED, message);
  default: // the file is gone or was replaced by something else
    stale(found);
  }
}

} // namespace

void emitAll(const Snapshot &snapshot, const skh::Documents &out, const Checkpoint &checkpoint) {
  Emitter emitter(out, checkpoint);
  for (const auto &stored : snapshot.skills) {
    const StoredSkill &skill = *stored;
    for (const StoredDocument &document : skill.documents) emitter.put(skill, document);
  }
}

void emitDifference(const Snapshot &before, const Snapshot &after, const skh::Documents &out,
                    const Checkpoint &checkpoint) {
  Emitter emitter(out, checkpoint);
  compare(before, after, [&](const Difference &difference) {
    if (difference.removed) {
      emitter.remove(difference.skill, difference.document);
    } else {
      emitter.put(difference.skill, difference.document);
    }
  });
}

void emitContent(const FoundDocument &found, const skh::Bytes &out, const Checkpoint &checkpoint) {
  const StoredDocument &document = *found.document;
  checkpoint();
  const Opened file =
      openIn(*found.skill->root, paths::joined(found.skill->folder, document.path), O_RDONLY);
  if (file.error != 0 && document.identity == FileIdentity{}) // it could not be opened before
    throw skh::Error(SKH_FAILED,
                     "cannot open " + describe(found) + ": " + std::strerror(file.error));
  if (file.error != 0) cannotOpen(found, file.error);
  // The bytes were never read unchanged, so this revision does not name any.
  if (!document.steady && !document.digest) stale(found);
  const std::optional<Content> content =
      readSteady(file.descriptor.number(), document.identity, checkpoint);
  if (!content) stale(found);
  if (document.digest) {
    ContentHash hash;
    hash.add(content->view());
    if (!(hash.finish() == *document.digest)) stale(found);
  }
  for (std::string_view rest = content->view(); !rest.empty();) {
    checkpoint();
    const std::string_view part = rest.substr(0, maxWriteBytes);
    out.write(part);
    rest.remove_prefix(part.size());
  }
}

} // namespace skillhost::filesystem
