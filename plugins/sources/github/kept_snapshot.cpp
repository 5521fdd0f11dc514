// SPDX-License-Identifier: Apache-2.0
// The file begins with the digest of the rest, followed by texts and numbers. A number is 8 bytes,
// the lowest first; a text is its size and its bytes.
#include "kept_snapshot.hpp"

#include "files/whole_file.hpp"

#include "ground/blake3.hpp"

#include <skillhost/plugin.hpp>

#include <unordered_map>

namespace skillhost::github {
namespace {

constexpr std::string_view format = "skillhost git snapshot 6";
constexpr std::uint64_t maxEntryBytes = std::uint64_t{1} << 20U;  // a longer entry is not kept
constexpr std::uint64_t maxKeptBytes = std::uint64_t{256} << 20U; // limit of the file

void put(std::string &out, std::uint64_t number) {
  for (unsigned shift = 0; shift < 64; shift += 8)
    out += static_cast<char>(static_cast<unsigned char>(number >> shift));
}

void put(std::string &out, std::string_view text) {
  put(out, std::uint64_t{text.size()});
  out += text;
}

// Reads the parts. After the first missing part all are empty, and isGood() is false.
class Parts {
public:
  explicit Parts(std::string_view bytes) : left_(bytes) {}

  std::uint64_t number() {
    const std::string_view bytes = cut(8);
    std::uint64_t number = 0;
    unsigned shift = 0;
    for (const char byte : bytes) {
      number |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
      shift += 8;
    }
    return number;
  }
  std::string_view text() { return cut(number()); }
  // Reads a count of items that take at least 8 bytes each.
  std::size_t count() {
    const std::uint64_t count = number();
    isGood_ = isGood_ && count <= left_.size() / 8;
    return isGood_ ? static_cast<std::size_t>(count) : 0;
  }
  bool isGood() const noexcept { return isGood_; }
  bool atEnd() const noexcept { return left_.empty(); }

private:
  std::string_view cut(std::uint64_t size) {
    isGood_ = isGood_ && size <= left_.size();
    if (!isGood_) return {};
    const std::string_view part = left_.substr(0, size);
    left_.remove_prefix(size);
    return part;
  }

  std::string_view left_;
  bool isGood_ = true;
};

std::string digestOf(std::string_view bytes) {
  Blake3 hash;
  hash.add(bytes);
  const Blake3::Digest digest = hash.finish();
  return {digest.begin(), digest.end()};
}

std::vector<Origin> takeOrigins(Parts &parts) {
  std::vector<Origin> origins(parts.count());
  for (Origin &origin : origins) {
    origin.repository = parts.text();
    origin.page = parts.text();
    origin.hasPlaces = parts.number() != 0;
    origin.address = parts.text();
    origin.ref = parts.text();
    origin.commit = parts.text();
    origin.fetched = static_cast<std::int64_t>(parts.number());
  }
  return origins;
}

void putOrigins(std::string &out, const std::vector<Origin> &origins) {
  put(out, std::uint64_t{origins.size()});
  for (const Origin &origin : origins) {
    put(out, origin.repository);
    put(out, origin.page);
    put(out, std::uint64_t{origin.hasPlaces});
    put(out, origin.address);
    put(out, origin.ref);
    put(out, origin.commit);
    put(out, static_cast<std::uint64_t>(origin.fetched));
  }
}

std::vector<StoredSkill> takeSkills(Parts &parts) {
  std::vector<StoredSkill> skills(parts.count());
  for (StoredSkill &skill : skills) {
    skill.id = parts.text();
    skill.origin = static_cast<std::size_t>(parts.number());
    skill.documents.resize(parts.count());
    for (StoredDocument &document : skill.documents) {
      document.path = parts.text();
      document.blob = parts.text();
      document.place = parts.text();
      document.size = parts.number();
      document.flags = static_cast<std::uint32_t>(parts.number());
    }
  }
  return skills;
}

void putSkills(std::string &out, const std::vector<StoredSkill> &skills) {
  put(out, std::uint64_t{skills.size()});
  for (const StoredSkill &skill : skills) {
    put(out, skill.id);
    put(out, std::uint64_t{skill.origin});
    put(out, std::uint64_t{skill.documents.size()});
    for (const StoredDocument &document : skill.documents) {
      put(out, document.path);
      put(out, document.blob);
      put(out, document.place);
      put(out, document.size);
      put(out, std::uint64_t{document.flags});
    }
  }
}

} // namespace

std::optional<KeptSnapshot> readKeptSnapshot(const std::string &path, const std::string &id,
                                             const std::string &layout) {
  const std::string bytes = files::readWhole(path, maxKeptBytes);
  constexpr std::size_t digestSize = sizeof(Blake3::Digest);
  if (bytes.size() < digestSize) return std::nullopt;
  const std::string_view body = std::string_view(bytes).substr(digestSize);
  Parts parts(body);
  if (parts.text() != format || parts.text() != id || parts.text() != layout ||
      digestOf(body) != bytes.substr(0, digestSize))
    return std::nullopt;
  KeptSnapshot kept;
  for (std::size_t left = parts.count(); left > 0; --left) kept.findings.emplace_back(parts.text());
  const auto snapshot = std::make_shared<Snapshot>();
  snapshot->id = id;
  snapshot->subpath = parts.text();
  snapshot->origins = takeOrigins(parts);
  snapshot->skills = takeSkills(parts);
  kept.snapshot = snapshot;
  for (std::size_t left = parts.count(); left > 0; --left) {
    std::string blob(parts.text());
    kept.entries.emplace(std::move(blob), parts.text());
  }
  for (const StoredSkill &skill : snapshot->skills)
    if (skill.origin >= snapshot->origins.size()) return std::nullopt;
  if (!parts.isGood() || !parts.atEnd()) return std::nullopt;
  return kept;
}

void writeKeptSnapshot(const std::string &path, const std::string &layout, const Snapshot &snapshot,
                       const std::vector<std::string> &findings, const BlobReader &read,
                       const std::function<void()> &checkpoint) {
  std::string body;
  for (const std::string_view text :
       {format, std::string_view(snapshot.id), std::string_view(layout)})
    put(body, text);
  put(body, std::uint64_t{findings.size()});
  for (const std::string &finding : findings) put(body, finding);
  put(body, snapshot.subpath);
  putOrigins(body, snapshot.origins);
  putSkills(body, snapshot.skills);
  std::unordered_map<std::string, const Origin *> entries; // by blob
  for (const StoredSkill &skill : snapshot.skills)
    for (const StoredDocument &document : skill.documents)
      if ((document.flags & SKH_DOC_ENTRY) != 0 && document.size <= maxEntryBytes)
        entries.emplace(document.blob, &snapshot.origin(skill));
  put(body, std::uint64_t{entries.size()});
  for (const auto &[blob, origin] : entries) {
    checkpoint();
    put(body, blob);
    put(body, read(*origin, blob));
    if (body.size() >= maxKeptBytes) return;
  }
  files::writeFile(path, digestOf(body) + body, Flush::Now);
}

} // namespace skillhost::github
