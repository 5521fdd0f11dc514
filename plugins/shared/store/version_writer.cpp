// SPDX-License-Identifier: Apache-2.0
#include "checksum.hpp"
#include "compression.hpp"
#include "digest/hexadecimal.hpp"
#include "version.hpp"

namespace skillhost::store {

VersionTexts composeVersion(Metadata &metadata, std::string listing, const Content &content,
                            const std::optional<digest::Key> &key) {
  metadata.files = content.files.size();
  metadata.bytes = 0;
  for (const File &file : content.files) metadata.bytes += file.bytes.size();
  metadata.expandedBytes = listing.size();
  if (metadata.compression == Compression::Zstd) {
    std::string smaller = compress(listing);
    if (smaller.size() < listing.size())
      listing = std::move(smaller);
    else
      metadata.compression = Compression::None;
  }
  metadata.listingBytes = listing.size();
  metadata.moduleBytes.reset();
  VersionTexts texts;
  texts.hasModule = !content.module.empty();
  if (texts.hasModule) metadata.moduleBytes = content.module.size();
  texts.module = content.module;
  metadata.keyed = key.has_value();
  texts.metadata = writeMetadata(metadata);
  texts.listing = std::move(listing);
  digest::Blake3 hash = checksumOf(key);
  hash.add(texts.metadata);
  hash.add(texts.listing);
  hash.add(texts.module);
  texts.checksum = digest::hexadecimal(hash.finish());
  return texts;
}

void writeVersion(const Folder &folder, const VersionTexts &texts) {
  constexpr mode_t forAll = 0644, forOwner = 0600;
  std::vector<std::pair<const char *, FileDescriptor>> made;
  const auto make = [&](const char *name, std::string_view bytes, mode_t mode) {
    made.emplace_back(name, folder.make(name, bytes, mode));
  };
  make(metadataName, texts.metadata, forAll);
  make(listingName, texts.listing, forAll);
  if (texts.hasModule) make(moduleName, texts.module, forAll);
  make(checksumName, texts.checksum + '\n', forOwner);
  for (const auto &[name, file] : made) folder.synchronise(file, name);
  folder.synchronise();
}

} // namespace skillhost::store
