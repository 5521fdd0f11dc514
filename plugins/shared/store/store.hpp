// SPDX-License-Identifier: Apache-2.0
// A store is a folder with one folder for each skill, which has a folder for each kept version,
// named by its number. The largest number is the current version.
//
// ROOT/pdf/3/metadata.json, vfs.json, module.wasm, checksum.blake3, signatures
//
// A version never changes once it has its name, except for its signatures, which are not part of
// it. Writers take turns with ROOT/.lock; readers never wait. A process that dies leaves the old or
// the new version, and at most a folder that the next writer removes. All functions may throw
// StoreError, whose message names the skill. Any thread may call them.
#pragma once

#include "store/content.hpp"
#include "store/version.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::store {

struct SaveOptions {
  std::size_t keep = 1; // number of versions to keep, including the new one
  Compression compression = Compression::None;
  std::string origin; // origin for people
  // A file of signatures for the new version; empty: none. If it names a version, the new version
  // gets that number, which must be larger than all numbers that the skill has had. If the current
  // version has this number and this content, the signatures are added to it.
  std::string_view signatures{};
};

struct Saved {
  std::uint64_t version = 1;
  bool changed = false; // false: the same content was there already, and nothing was changed
};

struct RollbackOptions {
  std::uint64_t to = 0;              // a kept version; 0: the one before the current one
  std::uint64_t above = 0;           // the new number must also be larger than this
  const SignatureKey *key = nullptr; // key that signs the new number; nullptr: none
};
struct RolledBack {
  std::uint64_t from = 0;       // version that was restored
  std::uint64_t version = 0;    // its new number
  bool losesSignatures = false; // it had signatures, which only applied to the old number
};

class Store {
public:
  // Does not access the disk. `root` is absolute.
  Store(std::string root, Trust trust = {});

  const std::string &root() const noexcept { return root_; }
  // Returns the skills, sorted; none if there is no such folder. It does not verify them.
  std::vector<std::string> names() const;
  // Returns the versions, the largest first. Throws Missing if there is no such skill.
  std::vector<std::uint64_t> versions(const std::string &name) const;
  // Returns a verified version. `version` 0 stands for the current one.
  LoadedSkill load(const std::string &name, std::uint64_t version = 0) const;
  // Returns the file of signatures of the current version, unchecked; empty if there is none.
  std::string signatures(const std::string &name) const;

  // Names foreign files in the folder of the current version, which no checksum covers. Litter of
  // systems and editors does not count.
  std::vector<std::string> foreignNames(const std::string &name) const;

  Saved save(const std::string &name, Content content, const SaveOptions &options = {}) const;
  void remove(const std::string &name) const;
  // Saves the content of an earlier version, if it verifies, as a new version, because readers
  // never accept a smaller number than before. Removes that earlier version and all after it.
  RolledBack rollback(const std::string &name, const RollbackOptions &options = {}) const;
  void sign(const std::string &name, const SignatureKey &key) const;

private:
  // The same store, but signatures are ignored.
  Store unjudged() const { return {root_, {trust_.key, SignaturePolicy::Ignore, {}}}; }
  Folder openSkill(const std::string &name) const;
  LoadedSkill read(const Folder &skill, const std::string &name, std::uint64_t version) const;
  bool hasContent(const Folder &skill, const std::string &name, std::uint64_t version,
                  const std::string &content) const;
  bool isSound(const Folder &skill, const std::string &name, std::uint64_t version) const;

  std::string root_;
  Trust trust_;
};

} // namespace skillhost::store
