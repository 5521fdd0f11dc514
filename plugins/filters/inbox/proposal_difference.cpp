// SPDX-License-Identifier: Apache-2.0
#include "inbox/proposal_difference.hpp"

#include "content_difference.hpp"
#include "ground/blake3.hpp"
#include "ground/counted.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace skillhost::inbox {
namespace {

constexpr std::size_t maxComparedBytes = 1U << 20U;
constexpr std::ptrdiff_t maxComparedLines = 20'000;
constexpr std::size_t unlimited = std::string::npos;

bool isComparable(const std::string &bytes) {
  return bytes.size() <= maxComparedBytes && isUtf8(bytes) &&
         std::count(bytes.begin(), bytes.end(), '\n') <= maxComparedLines;
}

std::string described(const File &file) {
  return counted(file.bytes.size(), "byte") + ", blake3:" + blake3Hex(file.bytes);
}

void remark(FileChange &change, std::string_view words) {
  if (!change.remark.empty()) change.remark += "; ";
  change.remark += words;
}

// Fills in what is shown of a file that differs. One of the two is null if it is not there.
void compare(const File *before, const File *now, FileChange &change) {
  if (now == nullptr) {
    change.isShown = false;
    return remark(change, described(*before));
  }
  if (before != nullptr && before->executable != now->executable)
    remark(change, now->executable ? "it becomes executable" : "it is no longer executable");
  if (before == nullptr && now->executable) remark(change, "it is executable");
  if (before != nullptr && before->bytes == now->bytes) return;
  const std::string nothing;
  const std::string &old = before == nullptr ? nothing : before->bytes;
  if (isComparable(old) && isComparable(now->bytes)) {
    change.text = differenceOf(old, now->bytes, unlimited);
    return;
  }
  remark(change, (before == nullptr ? "" : described(*before) + " becomes ") + described(*now));
  change.isShown = isUtf8(now->bytes);
  if (!change.isShown) return;
  remark(change, isUtf8(old) ? "it is too long to be compared, so all of it follows"
                             : "it was no text before, so all of it follows");
  addWholeText(now->bytes, [&](std::string_view piece) { change.text += piece; });
}

} // namespace

std::vector<FileChange> changesOf(const Files &before, const Files &now) {
  std::set<std::string> paths;
  for (const Files *files : {&before, &now})
    for (const auto &[path, file] : *files) paths.insert(path);
  std::vector<FileChange> changes;
  for (const std::string &path : paths) {
    const auto was = before.find(path), is = now.find(path);
    const File *const old = was == before.end() ? nullptr : &was->second;
    const File *const proposed = is == now.end() ? nullptr : &is->second;
    if (old != nullptr && proposed != nullptr && *old == *proposed) continue;
    FileChange &change = changes.emplace_back();
    change.path = path;
    change.kind = old == nullptr ? '+' : proposed == nullptr ? '-' : '~';
    change.wasExecutable = old != nullptr && old->executable;
    change.isExecutable = proposed != nullptr && proposed->executable;
    compare(old, proposed, change);
  }
  return changes;
}

void cutTo(FileChange &change, std::size_t offset, std::size_t room) {
  const std::string_view all = change.text;
  // An offset inside a character skips that character, so that the text stays valid.
  std::size_t begin = std::min(offset, all.size());
  while (begin < all.size() && (static_cast<unsigned char>(all[begin]) & 0xC0U) == 0x80U) ++begin;
  const std::string_view part = cutUtf8(all.substr(begin), room);
  change.next = begin + part.size();
  change.rest = all.size() - change.next;
  change.text = std::string(part);
}

void cutTo(std::vector<FileChange> &changes, std::size_t room) {
  for (FileChange &change : changes) {
    cutTo(change, 0, room);
    room -= change.text.size();
  }
}

Json fileJson(const FileChange &change) {
  Json file{{"path", change.path},
            {"change", change.kind == '+'   ? "new"
                       : change.kind == '-' ? "gone"
                                            : "changed"},
            {"shown", change.isShown},
            {"remark", change.remark},
            {"text", change.text}};
  if (change.kind == '+') file["executable"] = change.isExecutable;
  if (change.kind == '~' && change.wasExecutable != change.isExecutable)
    file["executable"] = {{"from", change.wasExecutable}, {"to", change.isExecutable}};
  if (change.rest != 0) {
    file["rest"] = change.rest;
    file["next_offset"] = change.next;
  }
  return file;
}

std::string titleOf(const FileChange &change) {
  return (change.kind == '+'   ? "new file "
          : change.kind == '-' ? "removed file "
                               : "changed file ") +
         change.path + (change.remark.empty() ? "" : " (" + change.remark + ')');
}

} // namespace skillhost::inbox
