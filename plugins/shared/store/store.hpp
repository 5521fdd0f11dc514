// SPDX-License-Identifier: Apache-2.0
// A store of skills: a folder with one folder for each skill, and in that one for each version that
// is kept, named by its number; the largest is the current one.
//
//   ROOT/pdf/3/metadata.json, vfs.json, module.wasm, checksum.blake3, signatures
//
// A version is never changed once it has its name (but for its signatures, which vouch and are not
// part of it). Writers take turns by ROOT/.lock; readers wait for nobody. A process that dies
// leaves the old version or the new one, and at most a folder that the next writer removes.
// Everything may throw StoreError, whose message names the skill. Any thread.
#pragma once

#include "store/content.hpp"
#include "store/version.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::store {

struct SaveOptions {
  std::size_t keep = 1; // versions, with the new one
  Compression compression = Compression::None;
  std::string origin; // for people
  // A file of them that came along; empty: none. When it says which version it is of, that is the
  // number of the new one, which must be larger than all that the skill has had; when the current
  // version has this number and this content, it gets the signatures.
  std::string_view signatures{};
};

struct Saved {
  std::uint64_t version = 1;
  bool changed = false; // false: the same content was there already, and nothing was touched
};

struct RollbackOptions {
  std::uint64_t to = 0;              // a version that is kept; 0: the one before the current one
  std::uint64_t above = 0;           // the new number is larger than this too
  const SignatureKey *key = nullptr; // who vouches for it under the new number; nullptr: nobody
};
struct RolledBack {
  std::uint64_t from = 0;       // the version that came back
  std::uint64_t version = 0;    // the number it has now
  bool losesSignatures = false; // those that it had are of its old number
};

class Store {
public:
  // Touches nothing. `root` is absolute.
  Store(std::string root, Trust trust = {});

  const std::string &root() const noexcept { return root_; }
  // Sorted; none when there is no such folder. They may verify or not.
  std::vector<std::string> names() const;
  // The largest first; Missing when there is no such skill.
  std::vector<std::uint64_t> versions(const std::string &name) const;
  // Verified. `version` 0: the current one.
  LoadedSkill load(const std::string &name, std::uint64_t version = 0) const;
  // The file of signatures of the current version, as it lies there; empty when there is none.
  std::string signatures(const std::string &name) const;

  // Names the files that others have put into the folder of the current version: no checksum covers
  // them. Litter of systems and editors does not count.
  std::vector<std::string> foreignNames(const std::string &name) const;

  Saved save(const std::string &name, Content content, const SaveOptions &options = {}) const;
  void remove(const std::string &name) const;
  // Saves what an earlier version holds, when it verifies, as a new one: who has seen a version
  // takes none with a smaller number for the current one. That earlier version and all after it go
  // away.
  RolledBack rollback(const std::string &name, const RollbackOptions &options = {}) const;
  void sign(const std::string &name, const SignatureKey &key) const;

private:
  // The same, whatever the signatures.
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
