// SPDX-License-Identifier: Apache-2.0
// A version on disk is a folder of files that are written once and verified before any content is
// used.
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

// A verified skill that is independent of the disk. The views point into it and stay valid if it
// moves.
struct LoadedSkill {
  Metadata metadata;
  std::string checksum; // 64 hexadecimal digits
  std::vector<FileView> files;
  SignatureVerdict signature;
  Buffer listing, module; // memory of the views; module.wasm
};

std::optional<std::string_view> moduleOf(const LoadedSkill &skill);
// True if metadata.json has the correct digest of the content. Loading does not check that if
// signatures are ignored.
bool isContentTrue(const LoadedSkill &skill);
// Returns a copy of the files that can be saved.
std::vector<File> filesOf(const LoadedSkill &skill);

// The content of a new version. The caller owns the memory of the views.
struct NewVersion {
  Metadata metadata;    // without the sizes and other values that follow from the content
  std::string listing;  // text made by writeListing()
  const Content *files; // content of the listing; not nullptr
  std::string_view signatures;
  std::optional<Blake3::Key> key;
};

// Writes into a new and empty folder. Everything is on disk when this returns.
void writeVersion(const Folder &folder, NewVersion made);

// True if metadata.json names this content. Nothing is verified, so only false is certain.
bool mayHaveContent(const Folder &folder, std::string_view contentDigest);
// Throws StoreError: Missing if a file is missing, Corrupt if one does not verify, with the file
// and the reason; neither names the skill.
LoadedSkill readVersion(const Folder &folder, const Trust &trust);
// Returns the file of signatures; empty if there is none.
std::string readSignatureFile(const Folder &folder);

} // namespace skillhost::store
