// SPDX-License-Identifier: Apache-2.0
#include "review/skill_difference.hpp"

#include "content_difference.hpp"
#include "ground/counted.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace skillhost {
namespace {

// Receives a text piece by piece and keeps the requested part of it.
class PartOfText {
public:
  PartOfText(std::size_t offset, std::size_t maxBytes) : offset_(offset), maxBytes_(maxBytes) {}

  void add(std::string_view piece) {
    const std::size_t skipped = offset_ > length_ ? std::min(offset_ - length_, piece.size()) : 0;
    length_ += piece.size();
    piece.remove_prefix(skipped);
    // Keeps some bytes more, to see whether a character ends at the end.
    const std::size_t room = maxBytes_ > npos - spare ? npos : maxBytes_ + spare;
    if (kept_.size() < room) kept_ += piece.substr(0, room - kept_.size());
  }

  void moveTo(FileDifference &file) {
    file.text =
        kept_.size() <= maxBytes_ ? std::move(kept_) : std::string(cutUtf8(kept_, maxBytes_));
    const std::size_t end = std::min(offset_, length_) + file.text.size();
    file.rest = length_ - end;
    if (file.rest != 0) file.next = end;
  }

private:
  static constexpr std::size_t npos = std::string::npos, spare = 4;
  const std::size_t offset_, maxBytes_;
  std::size_t length_ = 0; // of all that was added
  std::string kept_;
};

std::size_t linesIn(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  return ends + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

void addWhole(PartOfText &part, std::string_view text) {
  addWholeText(text, [&](std::string_view piece) { part.add(piece); });
}

std::string described(const LockedDocument &file) {
  return counted(file.size, "byte") + ", blake3:" + file.digest;
}

void addChanged(PartOfText &part, const FileDifference &file, const std::string &bytes,
                const KeptFiles &kept) {
  const std::string sizes = described(*file.before) + " has become " + described(*file.now);
  if (!isUtf8(bytes)) return part.add(sizes + '\n');
  std::string why = "too long to be compared line by line";
  if (file.before->size <= maxComparedBytes && bytes.size() <= maxComparedBytes) {
    const std::optional<std::string> old = kept.get(file.before->digest);
    if (old && linesIn(*old) <= maxComparedLines && linesIn(bytes) <= maxComparedLines)
      return part.add(differenceOf(*old, bytes, std::string::npos));
    if (!old) why = "what was decided on is not kept here";
  }
  part.add(sizes + " (" + why + "); all of it as it is now:\n");
  addWhole(part, bytes);
}

} // namespace

std::vector<FileDifference> changedFiles(const LockedSkill &before, const LockedSkill &now) {
  std::set<std::string> paths;
  for (const auto &[path, file] : before) paths.insert(path);
  for (const auto &[path, file] : now) paths.insert(path);
  std::vector<FileDifference> out;
  for (const std::string &path : paths) {
    const auto was = before.find(path), is = now.find(path);
    if (was != before.end() && is != now.end() && was->second == is->second) continue;
    FileDifference file;
    file.path = path;
    if (was != before.end()) file.before = was->second;
    if (is != now.end()) file.now = is->second;
    file.kind = !file.before ? '+' : !file.now ? '-' : '~';
    out.push_back(std::move(file));
  }
  return out;
}

bool needsBytes(const FileDifference &file) noexcept {
  return file.now && (!file.before || file.before->digest != file.now->digest);
}

void addText(FileDifference &file, const std::string *bytes, const KeptFiles &kept,
             std::size_t offset, std::size_t maxBytes) {
  PartOfText part(offset, maxBytes);
  if (file.before && file.now && file.before->executable != file.now->executable)
    part.add(file.now->executable ? "it has become executable\n" : "it is no longer executable\n");
  if (!file.now)
    part.add(described(*file.before) + '\n');
  else if (bytes != nullptr && file.before)
    addChanged(part, file, *bytes, kept);
  else if (bytes != nullptr && isUtf8(*bytes))
    addWhole(part, *bytes);
  else if (bytes != nullptr)
    part.add(described(*file.now) + '\n');
  part.moveTo(file);
}

void leaveOut(FileDifference &file) {
  file.text.clear();
  file.next = 0;
  file.rest = file.now ? file.now->size : 0;
}

} // namespace skillhost
