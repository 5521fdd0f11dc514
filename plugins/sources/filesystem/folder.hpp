// SPDX-License-Identifier: Apache-2.0
// A folder found by a scan, and its content.
#pragma once

#include "ground/file_system.hpp"
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
  std::string real; // only for a symbolic link: absolute path of its target, without links
};

struct Folder {
  const Root *root = nullptr;
  std::shared_ptr<const Root> followed{}; // root of a link's target, if the folder is below one
  // Length of the part of `path` that leads to that target, including the slash.
  std::size_t above = 0;
  std::size_t rootIndex = 0;
  std::string path;               // relative to the directory; "" for the directory itself
  const Folder *parent = nullptr; // parent by path; nullptr for a root
  bool linked = false;            // reached by a symbolic link

  // Set by the visit of this folder, before its children are visited.
  Place place;
  std::string real; // absolute path without symbolic links; empty if it could not be visited
  FileSystem fileSystem = FileSystem::local;
  const Folder *owner = nullptr; // nearest folder at or above it that has an entry
  std::string entry;             // name of its own entry; empty if it has none
  bool listed = false;           // it has an entry that is served
  bool holdsLinks = false;       // one of its files is a link
  bool isBound = false;          // it has links, hard ones too, so changes elsewhere may concern it
  std::vector<FoundFile> files;  // files for the owner, if that is listed
  std::vector<std::string> hidden; // names of folders that were skipped because they are hidden
  std::size_t skill = 0;           // index while a snapshot is built

  // Returns the path relative to `root`.
  std::string within() const { return path.size() < above ? std::string() : path.substr(above); }
};

} // namespace skillhost::filesystem
