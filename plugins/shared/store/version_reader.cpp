// SPDX-License-Identifier: Apache-2.0
#include "checksum.hpp"
#include "compression.hpp"
#include "ground/constant_time.hpp"
#include "ground/hexadecimal.hpp"
#include "limits.hpp"
#include "listing.hpp"
#include "problem.hpp"
#include "version.hpp"

#include <algorithm>
#include <cerrno>

namespace skillhost::store {
namespace {

// Large enough for all lanes of the hash, small enough for the processor's cache.
constexpr std::size_t pieceBytes = std::size_t{128} << 10U;

[[noreturn]] void corrupt(const std::string &why) { throw StoreError(Problem::Corrupt, why); }

// Reads the complete file and adds it to `hash`. Returns nothing if there is no such file.
std::optional<Buffer> takeFile(const Folder &folder, const char *name, std::size_t limit,
                               Blake3 *hash) {
  struct stat status{};
  const std::optional<Descriptor> file = folder.file(name, status);
  if (!file) return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) corrupt(std::string(name) + " is larger than it may be");
  Buffer bytes(size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t got =
        ::read(file->number(), bytes.data() + done, std::min(size - done, pieceBytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) failOfSystem(folder.pathOf(name), "cannot be read");
    if (got == 0) corrupt(std::string(name) + " became shorter while it was read");
    if (hash != nullptr) hash->add({bytes.data() + done, static_cast<std::size_t>(got)});
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

Buffer needFile(const Folder &folder, const char *name, std::size_t limit, Blake3 *hash) {
  std::optional<Buffer> bytes = takeFile(folder, name, limit, hash);
  if (!bytes) throw StoreError(Problem::Missing, std::string(name) + " is missing");
  return *std::move(bytes);
}

// Says which key seems to have been used, according to the unverified text.
std::string keyAdvice(const Buffer &metadata, bool haveKey) {
  const bool keyed =
      metadata.view().find(R"("checksum": "blake3-keyed")") != std::string_view::npos;
  if (keyed && !haveKey) return "; it says that it was made with a key: name the key file";
  if (!keyed && haveKey)
    return "; it says that it was made without a key: save the skill again with the key";
  return {};
}

SignatureVerdict verdictOf(const LoadedSkill &skill, const Folder &folder, const Trust &trust,
                           std::string_view expanded, std::optional<std::string_view> module) {
  if (trust.signatures == SignaturePolicy::Ignore) return {};
  if (contentDigest(expanded, module) != skill.metadata.content)
    corrupt("metadata.json: its content is not the digest of the files");
  return judge(trust, readSignatureFile(folder),
               {skill.metadata.name, skill.metadata.version, skill.metadata.content});
}

} // namespace

std::optional<std::string_view> moduleOf(const LoadedSkill &skill) {
  if (!skill.metadata.moduleBytes) return std::nullopt;
  return skill.module.view();
}

std::vector<File> filesOf(const LoadedSkill &skill) {
  std::vector<File> files;
  files.reserve(skill.files.size());
  for (const FileView &file : skill.files)
    files.push_back({std::string(file.path), std::string(file.bytes)});
  return files;
}

bool isContentTrue(const LoadedSkill &skill) {
  return contentDigest(writeListing(filesOf(skill)), moduleOf(skill)) == skill.metadata.content;
}

std::string readSignatureFile(const Folder &folder) {
  const std::optional<Buffer> file = takeFile(folder, signaturesName, maxSignatureBytes, nullptr);
  return file ? std::string(file->view()) : std::string{};
}

bool mayHaveContent(const Folder &folder, std::string_view contentDigest) {
  try {
    const std::optional<Buffer> metadata =
        takeFile(folder, metadataName, maxMetadataBytes, nullptr);
    return metadata && metadata->view().find(contentDigest) != std::string_view::npos;
  } catch (const StoreError &) {
    return false;
  }
}

LoadedSkill readVersion(const Folder &folder, const Trust &trust) {
  LoadedSkill skill;
  Blake3 hash = checksumOf(trust.key);
  const Buffer metadata = needFile(folder, metadataName, maxMetadataBytes, &hash);
  skill.listing = needFile(folder, listingName, maxListingBytes, &hash);
  std::optional<Buffer> module = takeFile(folder, moduleName, maxModuleBytes, &hash);
  const Buffer stored = needFile(folder, checksumName, maxMetadataBytes, nullptr);
  skill.checksum = hexadecimal(hash.finish());
  if (!equalInConstantTime(stored.view(), skill.checksum + '\n'))
    corrupt("checksum.blake3 is not the checksum of the files" +
            keyAdvice(metadata, trust.key.has_value()));
  // Only after the verification is the content of the files trusted.
  skill.metadata = readMetadata(metadata.view());
  const Metadata &says = skill.metadata;
  if (says.listingBytes != skill.listing.size() ||
      says.moduleBytes.has_value() != module.has_value() ||
      (module && *says.moduleBytes != module->size()))
    corrupt("metadata.json: its sizes are not those of the files");
  if (says.compression == Compression::Zstd)
    skill.listing = expand(skill.listing.view(), says.expandedBytes);
  skill.signature = verdictOf(skill, folder, trust, skill.listing.view(),
                              module ? std::optional(module->view()) : std::nullopt);
  if (module) skill.module = *std::move(module);
  skill.files = readListing(skill.listing);
  std::size_t bytes = 0;
  for (const FileView &file : skill.files) bytes += file.bytes.size();
  if (says.files != skill.files.size() || says.bytes != bytes)
    corrupt("metadata.json: its counts are not those of vfs.json");
  return skill;
}

} // namespace skillhost::store
