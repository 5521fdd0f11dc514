// SPDX-License-Identifier: Apache-2.0
#include "checksum.hpp"
#include "compression.hpp"
#include "ground/hexadecimal.hpp"
#include "version.hpp"

namespace skillhost::store {
namespace {

void describe(NewVersion &made) {
  Metadata &metadata = made.metadata;
  metadata.files = made.files->files.size();
  metadata.bytes = 0;
  for (const File &file : made.files->files) metadata.bytes += file.bytes.size();
  metadata.expandedBytes = made.listing.size();
  if (metadata.compression == Compression::Zstd) {
    std::string smaller = compress(made.listing);
    if (smaller.size() < made.listing.size())
      made.listing = std::move(smaller);
    else
      metadata.compression = Compression::None;
  }
  metadata.listingBytes = made.listing.size();
  metadata.moduleBytes.reset();
  if (!made.files->module.empty()) metadata.moduleBytes = made.files->module.size();
  metadata.keyed = made.key.has_value();
}

} // namespace

void writeVersion(const Folder &folder, NewVersion made) {
  constexpr mode_t forAll = 0644, forOwner = 0600;
  std::vector<std::pair<const char *, Descriptor>> files;
  const auto make = [&](const char *name, std::string_view bytes, mode_t mode) {
    files.emplace_back(name, folder.make(name, bytes, mode));
  };
  describe(made);
  // Writes the large files first, so that the disk stores them while the checksum is computed.
  make(listingName, made.listing, forAll);
  if (!made.files->module.empty()) make(moduleName, made.files->module, forAll);
  const std::string metadata = writeMetadata(made.metadata);
  make(metadataName, metadata, forAll);
  if (!made.signatures.empty()) make(signaturesName, made.signatures, forAll);
  Blake3 hash = checksumOf(made.key);
  hash.add(metadata);
  hash.add(made.listing);
  hash.add(made.files->module);
  make(checksumName, hexadecimal(hash.finish()) + '\n', forOwner);
  for (const auto &[name, file] : files) folder.synchronise(file, name);
  folder.synchronise();
}

} // namespace skillhost::store
