// SPDX-License-Identifier: Apache-2.0
#include "store.hpp"

#include "ground/document_names.hpp"
#include "limits.hpp"
#include "names.hpp"
#include "problem.hpp"
#include "version_list.hpp"

#include <cerrno>

namespace skillhost::store {
namespace {

// Writers may replace versions during a read. In each round, one writer has done so.
constexpr int maxRounds = 100;

[[noreturn]] void missing(const std::string &root, const std::string &name) {
  throw StoreError(Problem::Missing, name + ": there is no such skill in " + root);
}

} // namespace

Store::Store(std::string root, Trust trust) : root_(std::move(root)), trust_(std::move(trust)) {}

std::vector<std::string> Store::names() const {
  const std::optional<Folder> root = Folder::open(root_);
  if (!root) return {};
  std::vector<std::string> names = skillFoldersIn(*root);
  std::erase_if(names, [&](const std::string &name) {
    const std::optional<Folder> skill = root->folder(name);
    return !skill || versionsIn(*skill).empty();
  });
  return names;
}

std::vector<std::uint64_t> Store::versions(const std::string &name) const {
  std::vector<std::uint64_t> versions = versionsIn(openSkill(name));
  if (versions.empty()) missing(root_, name);
  return versions;
}

LoadedSkill Store::load(const std::string &name, std::uint64_t version) const {
  std::uint64_t last = 0;
  for (int round = 0;; ++round) {
    const Folder skill = openSkill(name);
    const std::vector<std::uint64_t> versions = versionsIn(skill);
    if (versions.empty()) missing(root_, name);
    const std::uint64_t wanted = version == 0 ? versions.front() : version;
    try {
      return read(skill, name, wanted);
    } catch (const StoreError &error) {
      if (error.problem() != Problem::Missing) throw;
      // The version may have been removed meanwhile. Then another one is the current one.
      if (version == 0 && wanted != last && round < maxRounds) {
        last = wanted;
        continue;
      }
      const bool there = skill.folder(std::to_string(wanted)).has_value();
      throw StoreError(there ? Problem::Corrupt : Problem::Missing, error.what());
    }
  }
}

std::string Store::signatures(const std::string &name) const {
  const Folder skill = openSkill(name);
  const std::vector<std::uint64_t> versions = versionsIn(skill);
  if (versions.empty()) missing(root_, name);
  const std::optional<Folder> current = skill.folder(std::to_string(versions.front()));
  if (!current) missing(root_, name);
  return readSignatureFile(*current);
}

std::vector<std::string> Store::foreignNames(const std::string &name) const {
  const Folder skill = openSkill(name);
  const std::vector<std::uint64_t> versions = versionsIn(skill);
  if (versions.empty()) missing(root_, name);
  const std::optional<Folder> current = skill.folder(std::to_string(versions.front()));
  if (!current) missing(root_, name);
  std::vector<std::string> foreign = current->names();
  std::erase_if(foreign, [](const std::string &one) {
    return one == metadataName || one == listingName || one == moduleName || one == checksumName ||
           one == signaturesName || kindOfName(one) == NameKind::Litter;
  });
  return foreign;
}

Folder Store::openSkill(const std::string &name) const {
  if (const std::string wrong = faultInName(name); !wrong.empty())
    throw StoreError(Problem::Refused, "the name \"" + name + "\" " + wrong);
  const std::optional<Folder> root = Folder::open(root_);
  if (!root) missing(root_, name);
  std::optional<Folder> skill = root->folder(name);
  if (!skill) missing(root_, name);
  return *std::move(skill);
}

LoadedSkill Store::read(const Folder &skill, const std::string &name, std::uint64_t version) const {
  const std::string number = std::to_string(version);
  const std::string what = name + ", version " + number + ": ";
  const std::optional<Folder> folder = skill.folder(number);
  if (!folder) throw StoreError(Problem::Missing, what + "there is no such version");
  try {
    LoadedSkill loaded = readVersion(*folder, trust_);
    // A renamed folder belongs to another skill, or is an older version that must not come back.
    if (loaded.metadata.name != name || loaded.metadata.version != version)
      throw StoreError(Problem::Corrupt, "it was saved as " + loaded.metadata.name + ", version " +
                                             std::to_string(loaded.metadata.version));
    return loaded;
  } catch (const StoreError &error) {
    throw StoreError(error.problem(), what + error.what());
  }
}

} // namespace skillhost::store
