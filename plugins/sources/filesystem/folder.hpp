// SPDX-License-Identifier: Apache-2.0
// A folder that a scan met, and what it found there.
#pragma once

#include "identity.hpp"
#include "roots.hpp"

#include <memory>
#include <vector>

namespace skillhost::filesystem {

struct FoundFile {
  std::string name;
  FileIdentity identity;
  std::optional<Digest> digest;
  bool steady = false;
  bool executable = false;
  std::string real; // of a symbolic link: the absolute path of what it leads to, without links
};

struct Folder {
  const Root *root = nullptr;
  std::shared_ptr<const Root> followed{}; // that root, where it is the target of a link
  std::size_t above = 0; // bytes of `path` that lead to that target, the slash behind it included
  std::size_t rootIndex = 0;
  std::string path;               // relative to the directory, "" for the directory itself
  const Folder *parent = nullptr; // by path, nullptr for a root
  bool linked = false;            // reached by a symbolic link

  // Filled in when it is looked into, before its children are.
  Place place;
  std::string real; // absolute, without symbolic links; empty when it could not be looked into
  FileSystem fileSystem = FileSystem::local;
  const Folder *owner = nullptr; // the nearest folder at or above it with an entry
  std::string entry;             // the name of its own entry; empty when it has none
  bool listed = false;           // has an entry, and that one is served
  bool holdsLinks = false;       // one of its files is a link
  bool isBound = false;          // by a link, a hard one too: what changes elsewhere may count here
  std::vector<FoundFile> files;  // of the owner, when that one is listed
  std::vector<std::string> hidden; // names of folders in it that were passed over for their names
  std::size_t skill = 0;           // for putting a snapshot together

  // The path relative to `root`.
  std::string within() const { return path.size() < above ? std::string() : path.substr(above); }
};

} // namespace skillhost::filesystem
