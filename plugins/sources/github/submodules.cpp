// SPDX-License-Identifier: Apache-2.0
#include "submodules.hpp"

#include "ground/text.hpp"

#include <sstream>
#include <string_view>

namespace skillhost::github {
namespace {

constexpr std::uint64_t maxModuleBytes = 65'536;

// Returns the value of a line "key = value"; "" for any other line.
std::string valueOfLine(std::string_view line, std::string_view key) {
  line = trimmedLine(line);
  if (!line.starts_with(key)) return {};
  line = trimmedLine(line.substr(key.size()));
  return line.starts_with('=') ? std::string(trimmedLine(line.substr(1))) : std::string();
}

} // namespace

std::string submoduleUrl(const FileIndex &index, Blobs &blobs, const std::string &path) {
  const TreeEntry *const file = index.at(".gitmodules");
  if (file == nullptr || file->kind != EntryKind::file || blobs.size(file->blob) > maxModuleBytes)
    return {};
  std::istringstream lines(blobs.content(file->blob));
  std::string line, url;
  bool isIt = false;
  while (std::getline(lines, line)) {
    if (line.starts_with('[')) {
      if (isIt) return url;
      url.clear();
    }
    if (const std::string value = valueOfLine(line, "path"); !value.empty()) isIt = value == path;
    if (std::string value = valueOfLine(line, "url"); !value.empty()) url = std::move(value);
  }
  return isIt ? url : std::string{};
}

std::string withoutUser(const std::string &url) {
  const std::size_t at = url.rfind('@');
  if (at == url.npos) return url;
  const std::size_t scheme = url.find("://");
  const std::string user = url.substr(scheme == url.npos ? 0 : scheme + 3);
  // "git" is the usual user of git over ssh, so it is not masked.
  return user.starts_with("git@") && user.rfind('@') == 3 ? url : "***" + url.substr(at);
}

} // namespace skillhost::github
