// SPDX-License-Identifier: Apache-2.0
#include "pull_skill.hpp"

#include "oci/cosign.hpp"
#include "oci/loading.hpp"
#include "registry_session.hpp"
#include "skill_folder.hpp"
#include "staging_folder.hpp"
#include "store/names.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

namespace skillhost {
namespace {

namespace fs = std::filesystem;

constexpr mode_t plainMode = 0666, programMode = 0777; // reduced by the umask

class PartsOfRegistry final : public oci::ArtefactParts {
public:
  // All parameters must outlive it.
  PartsOfRegistry(oci::Registry &registry, remote::Operation &operation,
                  const oci::Reference &where, const oci::ArtefactLimits &limits)
      : registry_(registry), operation_(operation), where_(where), limits_(limits) {}

  oci::FetchedManifest manifest(const std::string &digest) override {
    return registry_.manifest(operation_, where_, digest);
  }
  std::string layer(const oci::Descriptor &descriptor) override {
    return registry_.blob(operation_, where_, descriptor, limits_.bytes);
  }
  std::string configuration(const oci::Descriptor &descriptor, std::uint64_t maxBytes) override {
    return registry_.blob(operation_, where_, descriptor, maxBytes);
  }

private:
  oci::Registry &registry_;
  remote::Operation &operation_;
  const oci::Reference &where_;
  const oci::ArtefactLimits &limits_;
};

std::string digestOfNamed(RegistrySession &session) {
  const oci::Reference &where = session.reference();
  if (!where.digest.empty()) return where.digest;
  return session.step("reading the tag", [&](oci::Registry &registry, auto &operation) {
    // Use the digest of the bytes, because the header may name another one.
    return registry.manifest(operation, where, where.tag).digest;
  });
}

std::vector<oci::TrustedKey> readKeys(const std::vector<std::string> &files) {
  std::vector<oci::TrustedKey> keys;
  keys.reserve(files.size());
  for (const std::string &file : files) keys.push_back(oci::readTrustedKey(file, file));
  return keys;
}

// Returns a name that is valid for a folder and cannot lead out of `into`.
std::string nameOf(const oci::FoundSkill &skill, const oci::Reference &where) {
  const auto entry =
      std::find_if(skill.files.begin(), skill.files.end(),
                   [](const archive::PackedFile &file) { return file.path == "SKILL.md"; });
  const std::string &inside = skill.folder.empty() ? where.repository : skill.folder;
  const std::string fallback = inside.substr(inside.rfind('/') + 1);
  const std::string shown = where.text() + ": " + (skill.folder.empty() ? "" : skill.folder + "/");
  Result<SkillFields> fields = fieldsInDocument(entry->bytes, fallback, shown + "SKILL.md");
  if (!fields) throw std::runtime_error(fields.failure().message);
  if (const std::string wrong = store::faultInName(fields->name); !wrong.empty())
    throw std::runtime_error(shown + "SKILL.md: the name \"" + fields->name + "\" " + wrong +
                             " to be a folder's");
  for (const archive::PackedFile &file : skill.files)
    if (const std::string wrong = store::faultInPath(file.path); !wrong.empty())
      throw std::runtime_error(shown + file.path + ": " + wrong);
  return fields->name;
}

bool isSkillsFolder(const std::string &folder) {
  struct stat status{};
  return ::lstat((folder + "/SKILL.md").c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

void requirePlace(const std::string &folder, bool force) {
  struct stat status{};
  if (::lstat(folder.c_str(), &status) != 0) return; // a later step reports the fault
  std::error_code unknown;
  if (S_ISDIR(status.st_mode) && fs::is_empty(folder, unknown)) return;
  if (!force) throw std::runtime_error(folder + ": is there already; --force replaces it");
  if (!S_ISDIR(status.st_mode) || !isSkillsFolder(folder))
    throw std::runtime_error(folder + ": holds no SKILL.md, so it is no skill's folder and is not "
                                      "replaced");
}

void writeSkill(const oci::FoundSkill &skill, const std::string &folder, bool force) {
  programs::StagingFolder staging(folder);
  for (const archive::PackedFile &file : skill.files)
    staging.write(file.path, file.bytes, [] {}, file.executable ? programMode : plainMode);
  const auto inspect = [&](const std::string &old) {
    if (!isSkillsFolder(old)) requirePlace(old, true);
  };
  if (!staging.putInPlace(force, inspect))
    throw std::runtime_error(folder + ": is there by now, or is being replaced by another program");
}

} // namespace

Pulled pullSkills(const RegistrySettings &settings, const std::string &into,
                  const std::vector<std::string> &trustedKeys) {
  const std::vector<oci::TrustedKey> keys = readKeys(trustedKeys);
  const oci::Reference &where = settings.reference;
  RegistrySession session(settings);
  Pulled pulled;
  pulled.digest = digestOfNamed(session);
  if (!keys.empty())
    pulled.signer = session.step("looking at its signatures", [&](auto &registry, auto &operation) {
      return oci::requireSigner(registry, operation, where, pulled.digest, keys);
    });
  const oci::ArtefactLimits limits;
  oci::LoadedArtefact loaded =
      session.step("reading " + pulled.digest, [&](auto &registry, auto &operation) {
        PartsOfRegistry parts(registry, operation, where, limits);
        return oci::loadArtefact(parts, pulled.digest, limits, [&] { operation.checkpoint(); });
      });
  pulled.findings = std::move(loaded.found.findings);
  if (loaded.found.skills.empty())
    throw std::runtime_error(where.text() + ": " + pulled.findings.front());
  std::set<std::string> names;
  for (const oci::FoundSkill &skill : loaded.found.skills) {
    const std::string name = nameOf(skill, where);
    if (!names.insert(store::folded(name)).second)
      throw std::runtime_error(where.text() + ": two of its skills are called " + name);
    pulled.skills.push_back({name, into + "/" + name, skill.files.size()});
    requirePlace(pulled.skills.back().folder, settings.force);
  }
  for (std::size_t i = 0; i < pulled.skills.size(); ++i)
    writeSkill(loaded.found.skills[i], pulled.skills[i].folder, settings.force);
  return pulled;
}

} // namespace skillhost
