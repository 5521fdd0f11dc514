// SPDX-License-Identifier: Apache-2.0
#include "store.hpp"

#include "ground/counted.hpp"
#include "ground/replace_file.hpp"
#include "ground/shown.hpp"
#include "import_skill.hpp"
#include "pull_skill.hpp"
#include "push_skill.hpp"
#include "save_skill.hpp"
#include "saving.hpp"
#include "skill_folder.hpp"
#include "store/keys.hpp"
#include "store/limits.hpp"
#include "store/problem.hpp"
#include "store_report.hpp"
#include "stored_archive.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

namespace skillhost {
namespace {

namespace fs = std::filesystem;
using Action = StoreSettings::Action;

constexpr mode_t fileMode = 0644;

void printStoredJson(const Json &json) {
  printJsonText(stdout, json.dump(2, ' ', false, Json::error_handler_t::replace));
}

store::Trust trustOf(const StoreSettings &told) {
  store::Trust trust;
  if (!told.keyFile.empty()) trust.key = store::readStoreKey(told.keyFile);
  for (const std::string &file : told.trustedKeys) trust.keys.push_back(store::readPublicKey(file));
  if (!trust.keys.empty())
    trust.signatures =
        told.requireSignature ? store::SignaturePolicy::Require : store::SignaturePolicy::Verify;
  return trust;
}

store::Store openStore(const StoreSettings &told) { return {told.directory, trustOf(told)}; }

// `signature` in words; empty: nothing to report.
void sayWhatWasSaved(const StoreSettings &told, const std::string &name, const store::Saved &saved,
                     const std::string &signature = {}) {
  if (told.json) {
    Json said{{"name", name}, {"version", saved.version}, {"changed", saved.changed}};
    if (!signature.empty()) said["signature"] = signature;
    return printStoredJson(said);
  }
  printShown(stdout, "%s: version %llu %s %s%s\n", name.c_str(),
             static_cast<unsigned long long>(saved.version),
             saved.changed ? "saved in" : "has this content already in", told.directory.c_str(),
             (signature.empty() ? "" : ", " + signature).c_str());
}

void save(const StoreSettings &told, const app::Configuration &configuration,
          const std::string &executable) {
  SkillToSave skill = skillToSave(told, configuration, executable);
  const std::string name = skill.name;
  sayWhatWasSaved(told, name, saveIntoStore(told, std::move(skill)));
}

void importArchive(const StoreSettings &told, const app::Configuration &configuration) {
  const Imported imported =
      importSkill(told, configuration, trustOf(told), saveOptions(told, told.file));
  const bool unchecked = imported.signature.how == store::Signed::NotAsked && imported.isSigned;
  sayWhatWasSaved(told, imported.name, imported.saved,
                  unchecked ? "signed, and nobody has checked by whom: --trusted-key FILE does"
                            : signatureText(imported.signature));
  if (imported.isElsewhere)
    printShown(stderr,
               "warning: no source of the configuration serves %s, so none of them had a say\n",
               told.directory.c_str());
}

void writeInPlace(const std::string &path, const std::string &bytes) {
  store::Folder::openOrMake(fs::path(path).parent_path().string());
  if (const Status written = replaceFile(path, bytes); !written)
    throw std::runtime_error(written.failure().message);
}

void writeFiles(const std::string &folder, const store::LoadedSkill &skill) {
  for (const store::FileView &file : skill.files) {
    const fs::path path = fs::path(folder) / fs::path(file.path);
    store::Folder::openOrMake(path.parent_path().string())
        .write(path.filename().string(), file.bytes, fileMode);
  }
  store::Folder::openOrMake(folder).synchronise();
}

void exportSkill(const StoreSettings &told) {
  const store::Store store = openStore(told);
  const store::LoadedSkill skill = store.load(told.skill);
  writeInPlace(told.file, writeSkillArchive(skill, store.signatures(told.skill)));
}

// A file or a program gets the bytes as they are. A terminal would obey some of them.
void printDocument(std::string_view bytes) {
  const std::string shown = ::isatty(STDOUT_FILENO) != 0 ? shownText(bytes) : std::string(bytes);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
}

void loadSkill(const StoreSettings &told) {
  const store::Store store = openStore(told);
  const store::LoadedSkill skill = store.load(told.skill);
  if (told.json && told.file.empty())
    return printStoredJson(contentJson(examine(store, told.skill)));
  if (told.file.empty()) {
    for (const store::FileView &file : skill.files)
      if (file.path == "SKILL.md") printDocument(file.bytes);
    return;
  }
  if (!fs::create_directories(told.file))
    throw std::runtime_error(told.file + ": is there already; name a new folder");
  try {
    writeFiles(told.file, skill);
  } catch (const std::exception &) {
    std::error_code unknown;
    fs::remove_all(told.file, unknown); // removes an incomplete skill
    throw;
  }
  if (told.json)
    printStoredJson({{"name", told.skill},
                     {"version", skill.metadata.version},
                     {"folder", told.file},
                     {"files", skill.files.size()}});
}

int list(const StoreSettings &told) {
  std::error_code unknown;
  if (told.action == Action::Verify && !fs::is_directory(told.directory, unknown))
    throw std::runtime_error(told.directory + ": there is no such store");
  const store::Store store = openStore(told);
  std::vector<StoredSkill> all;
  for (const std::string &name :
       told.skill.empty() ? store.names() : std::vector<std::string>{told.skill})
    all.push_back(examine(store, name));
  const bool good =
      std::all_of(all.begin(), all.end(), [](const StoredSkill &one) { return one.isVerified(); });
  if (told.json) {
    Json skills = Json::array();
    for (const StoredSkill &one : all) skills.push_back(asJson(one));
    printStoredJson({{"store", told.directory}, {"skills", std::move(skills)}});
  } else {
    std::size_t width = 0;
    for (const StoredSkill &one : all) width = std::max(width, one.name.size());
    for (const StoredSkill &one : all) printShown(stdout, "%s\n", asLine(one, width).c_str());
    printShown(stdout, "%s in %s\n", counted(all.size(), "skill").c_str(), told.directory.c_str());
  }
  // A list succeeds when it reports a fault; a check fails.
  return good || told.action == Action::List ? 0 : 1;
}

int info(const StoreSettings &told) {
  const StoredSkill stored = examine(openStore(told), told.skill);
  if (told.json)
    printStoredJson(asJson(stored));
  else if (stored.skill)
    printShown(stdout, "%s", asText(stored).c_str());
  if (!stored.skill) printShown(stderr, "skillhost: %s\n", stored.why.c_str());
  return stored.skill ? 0 : 1;
}

void remove(const StoreSettings &told) {
  const store::Store store = openStore(told);
  const std::vector<std::uint64_t> versions = store.versions(told.skill);
  store.remove(told.skill);
  if (told.json)
    return printStoredJson(
        {{"name", told.skill}, {"store", told.directory}, {"removed", versions}});
  std::string numbers;
  for (const std::uint64_t version : versions)
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(version);
  printShown(stdout, "%s: removed from %s, %s %s\n", told.skill.c_str(), told.directory.c_str(),
             versions.size() == 1 ? "version" : "versions", numbers.c_str());
}

void rollback(const StoreSettings &told) {
  store::RollbackOptions options{told.rollbackTo, told.rollbackAbove, nullptr};
  std::optional<store::SignatureKey> key;
  if (!told.file.empty()) options.key = &key.emplace(store::readSecretKey(told.file));
  const store::RolledBack done = openStore(told).rollback(told.skill, options);
  if (done.losesSignatures)
    printShown(stderr,
               "warning: version %llu was signed as that, and as version %llu it is not: skillhost "
               "skill sign %s --key FILE\n",
               static_cast<unsigned long long>(done.from),
               static_cast<unsigned long long>(done.version), told.skill.c_str());
  if (told.json)
    return printStoredJson({{"name", told.skill}, {"version", done.version}, {"from", done.from}});
  printShown(stdout, "%s: what version %llu holds is the current one again, as version %llu\n",
             told.skill.c_str(), static_cast<unsigned long long>(done.from),
             static_cast<unsigned long long>(done.version));
}

void push(const StoreSettings &told, const app::Configuration &configuration,
          const std::string &executable) {
  const Pushed done = pushSkill(told.registry, skillToSave(told, configuration, executable));
  const std::string reference = told.registry.reference.text();
  if (told.json)
    return printStoredJson({{"name", done.name},
                            {"reference", reference},
                            {"digest", done.digest},
                            {"changed", done.changed},
                            {"blobs", done.blobs},
                            {"sent", done.sent}});
  if (!done.changed)
    return printShown(stdout, "%s: %s has this already, %s\n", done.name.c_str(), reference.c_str(),
                      done.digest.c_str());
  printShown(stdout, "%s: pushed to %s, %s, %zu of %zu blobs sent\n", done.name.c_str(),
             reference.c_str(), done.digest.c_str(), done.sent, done.blobs);
}

void pull(const StoreSettings &told) {
  const Pulled done = pullSkills(told.registry, told.file, told.trustedKeys);
  const std::string reference = told.registry.reference.text();
  for (const std::string &finding : done.findings)
    printShown(stderr, "warning: %s: %s\n", reference.c_str(), finding.c_str());
  if (told.json) {
    Json skills = Json::array();
    for (const PulledSkill &one : done.skills)
      skills.push_back({{"name", one.name}, {"folder", one.folder}, {"files", one.files}});
    Json said{{"reference", reference}, {"digest", done.digest}, {"skills", std::move(skills)}};
    if (!done.signer.empty()) said["signed_by"] = done.signer;
    return printStoredJson(said);
  }
  for (const PulledSkill &one : done.skills)
    printShown(stdout, "%s: %s in %s\n", one.name.c_str(), counted(one.files, "file").c_str(),
               one.folder.c_str());
  printShown(stdout, "%s, %s%s\n", reference.c_str(), done.digest.c_str(),
             (done.signer.empty() ? "" : ", signed by " + done.signer).c_str());
}

void makeKey(const StoreSettings &told) {
  if (told.action == Action::NewStoreKey) {
    store::writePrivateFile(told.keyFile, store::newStoreKey());
    printShown(stdout, "%s\n", told.keyFile.c_str());
    return;
  }
  const std::string open = told.keyFile + ".pub";
  if (fs::exists(open)) throw std::runtime_error(open + ": is there already: name another file");
  const store::SignatureKeyTexts texts = store::newSignatureKey();
  store::writePrivateFile(told.keyFile, texts.secret);
  writeInPlace(open, texts.open);
  printShown(stdout, "%s\n%s\n", told.keyFile.c_str(), open.c_str());
}

} // namespace

int useStore(const StoreSettings &told, const app::Configuration &configuration,
             const std::string &executable) {
  switch (told.action) {
  case Action::Save:
    save(told, configuration, executable);
    break;
  case Action::Load:
    loadSkill(told);
    break;
  case Action::List:
  case Action::Verify:
    return list(told);
  case Action::Info:
    return info(told);
  case Action::Remove:
    remove(told);
    break;
  case Action::Export:
    exportSkill(told);
    break;
  case Action::Import:
    importArchive(told, configuration);
    break;
  case Action::Rollback:
    rollback(told);
    break;
  case Action::Sign:
    openStore(told).sign(told.skill, store::readSecretKey(told.file));
    break;
  case Action::Push:
    push(told, configuration, executable);
    break;
  case Action::Pull:
    pull(told);
    break;
  case Action::NewStoreKey:
  case Action::NewSigningKey:
    makeKey(told);
    break;
  }
  return 0;
}

} // namespace skillhost
