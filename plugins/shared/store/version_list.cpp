// SPDX-License-Identifier: Apache-2.0
#include "version_list.hpp"

#include "names.hpp"
#include "problem.hpp"
#include "version.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

namespace skillhost::store {
namespace {

// 0 for what no version is called.
std::uint64_t versionOf(const std::string &name) {
  std::uint32_t number = 0;
  const char *const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  return error == std::errc{} && stop == end && name.front() != '0' ? number : 0;
}

} // namespace

std::vector<std::uint64_t> versionsIn(const Folder &skill) {
  std::vector<std::uint64_t> versions;
  for (const std::string &name : skill.names())
    if (const std::uint64_t version = versionOf(name)) versions.push_back(version);
  std::sort(versions.begin(), versions.end(), std::greater<>());
  return versions;
}

std::vector<std::string> skillFoldersIn(const Folder &root) {
  std::vector<std::string> names = root.names();
  std::erase_if(names, [](const std::string &name) { return !wrongName(name).empty(); });
  return names;
}

void requireOwn(const Folder &skill, const std::string &name) {
  constexpr std::array<std::string_view, 5> known{metadataName, listingName, moduleName,
                                                  checksumName, signaturesName};
  const auto refuse = [&](const std::string &path) {
    throw StoreError(Problem::Refused, name + ": " + path +
                                           " was not written by a store; look, and remove it "
                                           "yourself");
  };
  for (const std::string &number : skill.names()) {
    const std::optional<Folder> version = skill.folder(number);
    if (versionOf(number) == 0 || !version) refuse(skill.pathOf(number));
    for (const std::string &file : version->names())
      if (std::find(known.begin(), known.end(), file) == known.end()) refuse(version->pathOf(file));
  }
}

void removeRubbish(const Folder &root) {
  root.erase(beingWritten);
  root.erase(beingRemoved);
}

} // namespace skillhost::store
