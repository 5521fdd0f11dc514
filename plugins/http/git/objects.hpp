// SPDX-License-Identifier: Apache-2.0
// Objects of git: blobs, trees and commits, and their ids (SHA-1).
#pragma once

#include "ground/sha1.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace skillhost::git {

using ObjectId = Sha1::Digest;
struct ObjectIdHash {
  std::size_t operator()(const ObjectId &id) const noexcept;
};
using ObjectIds = std::unordered_set<ObjectId, ObjectIdHash>;

// The numbers are those of packs.
enum class ObjectType : std::uint8_t { Commit = 1, Tree = 2, Blob = 3 };

// An object with its content, without the header that its id is computed with.
struct Object {
  ObjectId id{};
  ObjectType type = ObjectType::Blob;
  std::string content;
};

struct File {
  std::string path, bytes;
  bool executable = false;
};

// Returns 40 lower-case digits.
std::string hexOf(const ObjectId &id);
// Reads 40 lower-case digits.
std::optional<ObjectId> idFromHex(std::string_view digits);

// Throws std::runtime_error if OpenSSL offers no SHA-1.
Object makeObject(ObjectType type, std::string content);

enum class Mode : std::uint8_t { File, Executable, Folder };
struct TreeEntry {
  std::string name;
  Mode mode = Mode::File;
  ObjectId id{};
};
// Returns the tree with these entries, in git's order. Each name must occur once.
Object makeTree(std::vector<TreeEntry> entries);

// Returns the objects of a folder with these files, each object once; its tree is the last one. The
// paths must be safe (isSafePath). Of two files that cannot be in one folder, the later is left
// out.
std::vector<Object> makeFolder(std::vector<File> files);

// Returns a commit of the tree with no parent, and with an author and a time that never change.
Object makeCommit(const ObjectId &tree);

// Returns false for a path that git refuses to check out on some system, or that would change how
// git treats other files: an empty segment, ".", "..", ".git", ".gitattributes" or ".gitmodules" in
// any spelling that a file system takes for these, and control characters, colons and backslashes.
bool isSafePath(std::string_view path) noexcept;

} // namespace skillhost::git
