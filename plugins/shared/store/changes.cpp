// SPDX-License-Identifier: Apache-2.0
// Implements the operations that change a store. All of them hold the lock.
#include "checksum.hpp"

#include "ground/time_text.hpp"
#include "limits.hpp"
#include "listing.hpp"
#include "lock.hpp"
#include "names.hpp"
#include "problem.hpp"
#include "store.hpp"
#include "version_list.hpp"

#include <algorithm>
#include <array>
#include <ctime>

namespace skillhost::store {
namespace {

void refuseCollision(const Folder &root, const std::string &name) {
  const std::string wanted = folded(name);
  for (const std::string &other : skillFoldersIn(root))
    if (other != name && folded(other) == wanted && !versionsIn(*root.folder(other)).empty())
      throw StoreError(Problem::Refused, name + ": the store has \"" + other +
                                             "\", which differs in case or Unicode form alone");
}

// Use No for an old version: it does no harm if it comes back after a power failure.
enum class Durably { No, Yes };

// Makes an entry disappear at once for all readers, and then removes it from disk.
void discard(const Folder &root, const Folder &parent, const std::string &name, Durably durably) {
  root.erase(beingRemoved);
  parent.move(name, root, beingRemoved);
  if (durably == Durably::Yes) parent.synchronise();
  root.erase(beingRemoved);
}

void prune(const Folder &root, const Folder &skill, std::size_t keep) {
  const std::vector<std::uint64_t> versions = versionsIn(skill);
  for (std::size_t i = keep; i < versions.size(); ++i)
    discard(root, skill, std::to_string(versions[i]), Durably::No);
}

std::uint64_t nextVersion(const std::string &name, std::uint64_t last) {
  if (last < UINT32_MAX) return last + 1;
  throw StoreError(Problem::Refused, name + ": its versions have no number left; save it under "
                                            "another name");
}

// `last` is the largest number that the skill has had.
std::uint64_t numberFor(const std::string &name, std::optional<std::uint64_t> wanted,
                        std::uint64_t last) {
  if (!wanted) return nextVersion(name, last);
  if (*wanted > last) return *wanted;
  throw StoreError(Problem::Refused, name + ": it was signed as version " +
                                         std::to_string(*wanted) +
                                         ", and the store has had version " + std::to_string(last) +
                                         ": only a newer one can take its place");
}

void writeSignatures(const Folder &root, const Folder &version, const std::string &file) {
  root.erase(beingWritten);
  root.write(beingWritten, file, 0644);
  root.move(beingWritten, version, signaturesName, Folder::Existing::Replace);
  version.synchronise();
}

void requireTrueContent(const LoadedSkill &loaded) {
  if (!isContentTrue(loaded))
    throw StoreError(Problem::Corrupt,
                     loaded.metadata.name + ": its content is not what metadata.json says");
}

// Writes to a folder that no reader looks into, and then moves it to its name in one step.
void publish(const Folder &root, NewVersion made) {
  const std::string name = made.metadata.name, version = std::to_string(made.metadata.version);
  root.erase(beingWritten);
  try {
    writeVersion(root.makeFolder(beingWritten), std::move(made));
    const bool isNew = !root.folder(name);
    const Folder skill = root.makeFolder(name);
    root.move(beingWritten, skill, version);
    skill.synchronise();
    if (isNew) root.synchronise();
  } catch (const StoreError &error) {
    try {
      root.erase(beingWritten);
    } catch (const StoreError &) {
      // The next writer removes the folder. The first error matters more.
    }
    throw StoreError(error.problem(), name + " was not saved: " + error.what());
  }
}

} // namespace

bool Store::hasContent(const Folder &skill, const std::string &name, std::uint64_t version,
                       const std::string &content) const {
  const std::optional<Folder> folder = skill.folder(std::to_string(version));
  try {
    if (!folder || !mayHaveContent(*folder, content)) return false;
    const LoadedSkill loaded = read(skill, name, version);
    return loaded.metadata.content == content && isContentTrue(loaded);
  } catch (const StoreError &) {
    return false; // a version that does not verify is replaced, even by the same content
  }
}

bool Store::isSound(const Folder &skill, const std::string &name, std::uint64_t version) const {
  try {
    return isContentTrue(read(skill, name, version));
  } catch (const StoreError &error) {
    return error.problem() != Problem::Corrupt && error.problem() != Problem::Missing;
  }
}

Saved Store::save(const std::string &name, Content content, const SaveOptions &options) const {
  if (const std::string wrong = faultInName(name); !wrong.empty())
    throw StoreError(Problem::Refused, "the name \"" + name + "\" " + wrong);
  checkContent(name, content);
  std::string listing = writeListing(content.files);
  Metadata metadata;
  metadata.name = name;
  metadata.origin = options.origin;
  metadata.compression = options.compression;
  metadata.content = contentDigest(listing, content.module.empty()
                                                ? std::nullopt
                                                : std::optional<std::string_view>(content.module));

  const Folder root = Folder::openOrMake(root_);
  WriterLock lock(root);
  removeRubbish(root);
  refuseCollision(root, name);
  const std::optional<std::uint64_t> signedAs = versionSigned(options.signatures);
  std::uint64_t last = versionRemoved(root, name);
  if (const std::optional<Folder> skill = root.folder(name))
    if (const std::vector<std::uint64_t> versions = versionsIn(*skill); !versions.empty()) {
      const std::uint64_t current = versions.front();
      last = std::max(last, current);
      if (signedAs == current && unjudged().hasContent(*skill, name, current, metadata.content)) {
        const Folder folder = skill->makeFolder(std::to_string(current));
        const std::string before = readSignatureFile(folder);
        const std::string joined = joinSignatures(before, options.signatures);
        if (joined == before) return {current, false};
        writeSignatures(root, folder, joined);
        lock.changed();
        return {current, true};
      }
      if (signedAs == current && !unjudged().isSound(*skill, name, current)) {
        // Replaces a damaged version with the same version.
        lock.changed();
        discard(root, *skill, std::to_string(current), Durably::Yes);
        last = current - 1;
      }
      if (!signedAs && hasContent(*skill, name, current, metadata.content)) return {current, false};
    }
  metadata.version = numberFor(name, signedAs, last);
  metadata.saved = timeText(std::time(nullptr));
  const std::uint64_t version = metadata.version;
  publish(root,
          {std::move(metadata), std::move(listing), &content, options.signatures, trust_.key});
  lock.changed();
  prune(root, *root.folder(name), std::max<std::size_t>(options.keep, 1));
  return {version, true};
}

void Store::remove(const std::string &name) const {
  openSkill(name);
  const Folder root = Folder::openOrMake(root_);
  WriterLock lock(root);
  removeRubbish(root);
  requireOwn(openSkill(name), name);
  lock.changed();
  // Recorded first, so that the number is known at every instant.
  if (const std::vector<std::uint64_t> versions = versionsIn(*root.folder(name)); !versions.empty())
    rememberRemoved(root, name, std::max(versions.front(), versionRemoved(root, name)));
  discard(root, root, name, Durably::Yes);
}

RolledBack Store::rollback(const std::string &name, const RollbackOptions &options) const {
  openSkill(name);
  const Folder root = Folder::openOrMake(root_);
  WriterLock lock(root);
  removeRubbish(root);
  const Folder skill = openSkill(name);
  const std::vector<std::uint64_t> versions = versionsIn(skill);
  RolledBack done{options.to, 0, false};
  if (done.from == 0) {
    if (versions.size() < 2)
      throw StoreError(Problem::Refused, name +
                                             ": no earlier version is kept; skillhost skill save "
                                             "--keep N keeps N of them");
    done.from = versions[1];
  }
  const LoadedSkill loaded = read(skill, name, done.from);
  requireTrueContent(loaded);
  Metadata metadata = loaded.metadata;
  metadata.version = done.version =
      nextVersion(name, std::max({versions.front(), options.above, versionRemoved(root, name)}));
  metadata.saved = timeText(std::time(nullptr));
  const Content content{filesOf(loaded), std::string(moduleOf(loaded).value_or(""))};
  std::string signatures;
  if (options.key != nullptr)
    signatures = addSignature({}, {name, done.version, metadata.content}, *options.key);
  done.losesSignatures =
      signatures.empty() && !readSignatureFile(*skill.folder(std::to_string(done.from))).empty();
  publish(root,
          {std::move(metadata), writeListing(content.files), &content, signatures, trust_.key});
  lock.changed();
  for (const std::uint64_t version : versions)
    if (version >= done.from) discard(root, skill, std::to_string(version), Durably::Yes);
  return done;
}

void Store::sign(const std::string &name, const SignatureKey &key) const {
  openSkill(name);
  const Folder root = Folder::openOrMake(root_);
  WriterLock lock(root);
  removeRubbish(root);
  const Folder skill = openSkill(name);
  const std::vector<std::uint64_t> versions = versionsIn(skill);
  if (versions.empty()) throw StoreError(Problem::Missing, name + ": it has no version");
  // Refuses to sign content that does not verify. Earlier signatures are no obstacle.
  const LoadedSkill loaded = unjudged().read(skill, name, versions.front());
  requireTrueContent(loaded);
  const std::optional<Folder> folder = skill.folder(std::to_string(versions.front()));
  writeSignatures(root, *folder,
                  addSignature(readSignatureFile(*folder),
                               {name, versions.front(), loaded.metadata.content}, key));
  lock.changed();
}

} // namespace skillhost::store
