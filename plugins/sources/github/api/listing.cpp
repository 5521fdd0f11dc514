// SPDX-License-Identifier: Apache-2.0
#include "listing.hpp"

#include "state_file.hpp"

#include "remote/operation.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace skillhost::github {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string &why) {
  throw remote::RemoteError("the API's listing of a tree cannot be read: " + why);
}

std::uint32_t modeOf(const std::string &text) {
  std::uint32_t mode = 0;
  const char *const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, mode, 8);
  if (read.ec != std::errc{} || read.ptr != end || mode > 0177'777U) refuse("a mode is no mode");
  return mode;
}

// Sorts as git does: a folder counts as if its name ended with a slash.
bool isBefore(const ListedEntry &a, const ListedEntry &b) {
  return a.name + (a.isFolder() ? "/" : "") < b.name + (b.isFolder() ? "/" : "");
}

std::string parentOf(const std::string &path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash);
}

} // namespace

const ListedEntry *TreeListing::at(const std::string &path) const {
  const auto folder = folders.find(parentOf(path));
  if (folder == folders.end()) return nullptr;
  const std::string name = path.substr(path.rfind('/') + 1);
  const auto found = std::find_if(folder->second.begin(), folder->second.end(),
                                  [&](const ListedEntry &one) { return one.name == name; });
  return found == folder->second.end() ? nullptr : &*found;
}

TreeListing readListing(std::string_view body) {
  TreeListing listing;
  try {
    const json read = json::parse(body);
    listing.id = read.at("sha").get<std::string>();
    if (!isObjectId(listing.id)) refuse("an id is no id");
    listing.isTruncated = read.value("truncated", false);
    for (const json &one : read.at("tree")) {
      const std::string path = one.at("path").get<std::string>();
      ListedEntry entry{path.substr(path.rfind('/') + 1), one.at("sha").get<std::string>(),
                        modeOf(one.at("mode").get<std::string>())};
      if (!isObjectId(entry.id)) refuse("an id is no id");
      if (const auto size = one.find("size"); size != one.end() && size->is_number_unsigned())
        entry.bytes = size->get<std::uint64_t>();
      listing.folders[parentOf(path)].push_back(std::move(entry));
    }
  } catch (const json::exception &error) {
    refuse(error.what());
  }
  return listing;
}

std::string treeBytes(std::vector<ListedEntry> entries) {
  std::sort(entries.begin(), entries.end(), isBefore);
  std::string bytes;
  for (const ListedEntry &entry : entries) {
    std::string mode(8, '\0');
    const auto end = std::to_chars(mode.data(), mode.data() + mode.size(), entry.mode, 8).ptr;
    bytes.append(mode.data(), end);
    ((bytes += ' ') += entry.name) += '\0';
    for (std::size_t i = 0; i < entry.id.size(); i += 2) {
      std::uint8_t byte = 0;
      std::from_chars(entry.id.data() + i, entry.id.data() + i + 2, byte, 16);
      bytes += static_cast<char>(byte);
    }
  }
  return bytes;
}

} // namespace skillhost::github
