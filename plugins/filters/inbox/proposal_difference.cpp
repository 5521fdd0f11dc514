// SPDX-License-Identifier: Apache-2.0
#include "inbox/proposal_difference.hpp"

#include "content_difference.hpp"
#include "ground/blake3.hpp"
#include "ground/counted.hpp"
#include "ground/utf8.hpp"

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

std::string comparedText(const File *before, const File *now) {
  if (now == nullptr) return described(*before) + '\n';
  std::string text;
  if (before != nullptr && before->executable != now->executable)
    text = now->executable ? "it becomes executable\n" : "it is no longer executable\n";
  if (before == nullptr && now->executable) text = "it is executable\n";
  if (before != nullptr && before->bytes == now->bytes) return text;
  const std::string nothing;
  const std::string &old = before == nullptr ? nothing : before->bytes;
  if (isComparable(old) && isComparable(now->bytes))
    return text + differenceOf(old, now->bytes, unlimited);
  if (before != nullptr) text += described(*before) + " becomes ";
  text += described(*now) + '\n';
  if (isUtf8(now->bytes)) text += "it is too long to be compared; all of it:\n" + now->bytes;
  return text;
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
    changes.push_back({path,
                       old == nullptr        ? '+'
                       : proposed == nullptr ? '-'
                                             : '~',
                       comparedText(old, proposed)});
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

std::string titleOf(const FileChange &change) {
  return (change.kind == '+'   ? "new file "
          : change.kind == '-' ? "removed file "
                               : "changed file ") +
         change.path;
}

} // namespace skillhost::inbox
