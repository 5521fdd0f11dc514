// SPDX-License-Identifier: Apache-2.0
#include "metadata.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/json.hpp"
#include "limits.hpp"
#include "problem.hpp"

#include <nlohmann/json.hpp>

namespace skillhost::store {
namespace {

using nlohmann::json;

[[noreturn]] void refuseMetadata(const std::string &why) {
  throw StoreError(Problem::Corrupt, "metadata.json " + why);
}

const json &memberOf(const json &object, const char *key) {
  const auto found = object.find(key);
  if (found == object.end()) refuseMetadata("has no " + std::string(key));
  return *found;
}

std::string textOf(const json &object, const char *key) {
  const json &member = memberOf(object, key);
  if (!member.is_string()) refuseMetadata("has a " + std::string(key) + " that is no text");
  return member.get<std::string>();
}

std::size_t sizeOf(const json &object, const char *key, std::size_t limit) {
  const json &member = memberOf(object, key);
  if (!member.is_number_unsigned() || member.get<std::uint64_t>() > limit)
    refuseMetadata("has a " + std::string(key) + " that is too large or no number");
  return member.get<std::size_t>();
}

const json &objectOf(const json &object, const char *key) {
  const json &member = memberOf(object, key);
  if (!member.is_object()) refuseMetadata("has a " + std::string(key) + " that is no object");
  return member;
}

} // namespace

std::string writeMetadata(const Metadata &metadata) {
  Json listing{{"bytes", metadata.listingBytes}};
  if (metadata.compression == Compression::Zstd) {
    listing["compression"] = "zstd";
    listing["expanded"] = metadata.expandedBytes;
  }
  Json out{{"format", 1},
           {"name", metadata.name},
           {"version", metadata.version},
           {"saved", metadata.saved},
           {"origin", metadata.origin},
           {"files", metadata.files},
           {"bytes", metadata.bytes},
           {"content", metadata.content},
           {"checksum", metadata.keyed ? "blake3-keyed" : "blake3"},
           {"vfs", std::move(listing)}};
  if (metadata.moduleBytes) out["wasm"] = Json{{"bytes", *metadata.moduleBytes}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Metadata readMetadata(std::string_view text) {
  // A repeated key is detected below, because the writer would not produce it.
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object()) refuseMetadata("is not a JSON object");
  if (memberOf(document, "format") != 1)
    refuseMetadata("is of a format that this version does not know; a newer one may");
  Metadata metadata;
  metadata.name = textOf(document, "name");
  metadata.version = sizeOf(document, "version", UINT32_MAX);
  metadata.saved = textOf(document, "saved");
  metadata.origin = textOf(document, "origin");
  metadata.files = sizeOf(document, "files", maxFiles);
  metadata.bytes = sizeOf(document, "bytes", maxBytes);
  metadata.content = textOf(document, "content");
  if (!isHexadecimal(metadata.content, 64)) refuseMetadata("has a content that is no digest");
  const std::string checksum = textOf(document, "checksum");
  metadata.keyed = checksum == "blake3-keyed";
  if (!metadata.keyed && checksum != "blake3") refuseMetadata("has a checksum of unknown kind");
  const json &listing = objectOf(document, "vfs");
  metadata.listingBytes = sizeOf(listing, "bytes", maxListingBytes);
  metadata.expandedBytes = metadata.listingBytes;
  if (listing.contains("compression")) {
    if (textOf(listing, "compression") != "zstd") refuseMetadata("has an unknown compression");
    metadata.compression = Compression::Zstd;
    metadata.expandedBytes = sizeOf(listing, "expanded", maxListingBytes);
  }
  if (document.contains("wasm"))
    metadata.moduleBytes = sizeOf(objectOf(document, "wasm"), "bytes", maxModuleBytes);
  if (writeMetadata(metadata) != text) refuseMetadata("is not spelt as this version spells it");
  return metadata;
}

} // namespace skillhost::store
