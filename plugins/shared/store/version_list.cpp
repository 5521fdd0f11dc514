// SPDX-License-Identifier: Apache-2.0
#include "version_list.hpp"

#include "names.hpp"
#include "problem.hpp"
#include "version.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <functional>
#include <map>
#include <sstream>

namespace skillhost::store {
namespace {

// Returns 0 if the name is not a version.
std::uint64_t versionOf(const std::string &name) {
  std::uint32_t number = 0;
  const char *const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  return error == std::errc{} && stop == end && name.front() != '0' ? number : 0;
}

constexpr const char *removedName = ".removed"; // lines with a number, a blank and a name
constexpr std::size_t maxRemovedBytes = std::size_t{4} << 20U;

// Skips invalid lines. Without such a line, readers at most refuse the next saved version.
std::map<std::string, std::uint64_t> readRemoved(const Folder &root) {
  std::map<std::string, std::uint64_t> all;
  struct stat status{};
  const std::optional<Descriptor> file = root.file(removedName, status);
  if (!file || static_cast<std::size_t>(status.st_size) > maxRemovedBytes) return all;
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::read(file->number(), text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) failOfSystem(root.pathOf(removedName), "cannot be read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  std::istringstream lines(text.substr(0, done));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::uint64_t version = blank == 0 ? 0 : versionOf(line.substr(0, blank));
    if (version != 0 && blank < line.size()) all[line.substr(blank + 1)] = version;
  }
  return all;
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
  std::erase_if(names, [](const std::string &name) { return !faultInName(name).empty(); });
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

std::uint64_t versionRemoved(const Folder &root, const std::string &name) {
  const std::map<std::string, std::uint64_t> all = readRemoved(root);
  const auto found = all.find(name);
  return found == all.end() ? 0 : found->second;
}

void rememberRemoved(const Folder &root, const std::string &name, std::uint64_t version) {
  std::map<std::string, std::uint64_t> all = readRemoved(root);
  all[name] = version;
  std::string text;
  for (const auto &[skill, last] : all) text += std::to_string(last) + ' ' + skill + '\n';
  root.erase(beingWritten);
  root.write(beingWritten, text, 0644);
  root.move(beingWritten, root, removedName, Folder::Existing::Replace);
  root.synchronise();
}

void removeRubbish(const Folder &root) {
  root.erase(beingWritten);
  root.erase(beingRemoved);
}

} // namespace skillhost::store
