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
  std::string origin;            // for people
  std::string_view signatures{}; // a file of them that came along; kept only if not empty
};

struct Saved {
  std::uint64_t version = 1;
  bool changed = false; // false: the same content was there already, and nothing was touched
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

  Saved save(const std::string &name, Content content, const SaveOptions &options = {}) const;
  void remove(const std::string &name) const;
  // Takes the current version away, when the one before verifies; returns that one's number.
  std::uint64_t rollback(const std::string &name) const;
  void sign(const std::string &name, const SignatureKey &key) const;

private:
  Folder openSkill(const std::string &name) const;
  LoadedSkill read(const Folder &skill, const std::string &name, std::uint64_t version) const;

  std::string root_;
  Trust trust_;
};

} // namespace skillhost::store
