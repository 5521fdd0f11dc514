// SPDX-License-Identifier: Apache-2.0
// One version on disk: the files of a folder, written once and verified before anything is taken
// from them.
#pragma once

#include "store/buffer.hpp"
#include "store/content.hpp"
#include "store/folder.hpp"
#include "store/metadata.hpp"
#include "store/trust.hpp"

#include <string>
#include <vector>

namespace skillhost::store {

constexpr const char *metadataName = "metadata.json";
constexpr const char *listingName = "vfs.json";
constexpr const char *moduleName = "module.wasm";
constexpr const char *checksumName = "checksum.blake3";
constexpr const char *signaturesName = "signatures";

// Verified, and alone: nothing of it points to the disk any more. The views point into it, and
// stay good when it moves.
struct LoadedSkill {
  Metadata metadata;
  std::string checksum; // 64 hexadecimal digits
  std::vector<FileView> files;
  SignatureVerdict signature;
  Buffer listing, module; // what the views point into, and module.wasm
};

std::optional<std::string_view> moduleOf(const LoadedSkill &skill);
// Whether metadata.json names the digest of what is there; where signatures are ignored, loading
// does not ask.
bool isContentTrue(const LoadedSkill &skill);
// A copy that can be saved.
std::vector<File> filesOf(const LoadedSkill &skill);

// What is to become a version. The views are of whoever gives it.
struct NewVersion {
  Metadata metadata;    // without the sizes, and the rest that follows from the content
  std::string listing;  // the text writeListing() made
  const Content *files; // what it was made of; not nullptr
  std::string_view signatures;
  std::optional<Blake3::Key> key;
};

// Into a new and empty folder; all of it is on disk when this returns.
void writeVersion(const Folder &folder, NewVersion made);

// Whether metadata.json names this content. Nothing is verified: no is certain, yes is not.
bool mayHaveContent(const Folder &folder, std::string_view contentDigest);
// Throws StoreError: Missing when a file is not there, Corrupt when it does not verify, with the
// file and the reason; neither names the skill.
LoadedSkill readVersion(const Folder &folder, const Trust &trust);
// The file of signatures; empty when there is none.
std::string readSignatureFile(const Folder &folder);

} // namespace skillhost::store
