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

store::Trust trustOf(const StoreSettings &settings) {
  store::Trust trust;
  if (!settings.keyFile.empty()) trust.key = store::readStoreKey(settings.keyFile);
  for (const std::string &file : settings.trustedKeys)
    trust.keys.push_back(store::readPublicKey(file));
  if (!trust.keys.empty())
    trust.signatures = settings.requireSignature ? store::SignaturePolicy::Require
                                                 : store::SignaturePolicy::Verify;
  return trust;
}

store::Store openStore(const StoreSettings &settings) {
  return {settings.directory, trustOf(settings)};
}

// `signature` in words; empty: nothing to report.
void sayWhatWasSaved(const StoreSettings &settings, const std::string &name,
                     const store::Saved &saved, const std::string &signature = {}) {
  if (settings.json) {
    Json report{{"name", name}, {"version", saved.version}, {"changed", saved.changed}};
    if (!signature.empty()) report["signature"] = signature;
    return printStoredJson(report);
  }
  printShown(stdout, "%s: version %llu %s %s%s\n", name.c_str(),
             static_cast<unsigned long long>(saved.version),
             saved.changed ? "saved in" : "has this content already in", settings.directory.c_str(),
             (signature.empty() ? "" : ", " + signature).c_str());
}

void save(const StoreSettings &settings, const app::Configuration &configuration,
          const std::string &executable) {
  SkillToSave skill = skillToSave(settings, configuration, executable);
  const std::string name = skill.name;
  sayWhatWasSaved(settings, name, saveIntoStore(settings, std::move(skill)));
}

void importArchive(const StoreSettings &settings, const app::Configuration &configuration) {
  const Imported imported =
      importSkill(settings, configuration, trustOf(settings), saveOptions(settings, settings.file));
  const bool unchecked = imported.signature.how == store::Signed::NotAsked && imported.isSigned;
  sayWhatWasSaved(settings, imported.name, imported.saved,
                  unchecked ? "signed, and nobody has checked by whom: --trusted-key FILE does"
                            : signatureText(imported.signature));
  if (imported.isElsewhere)
    printShown(stderr,
               "warning: no source of the configuration serves %s, so none of them had a say\n",
               settings.directory.c_str());
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

void exportSkill(const StoreSettings &settings) {
  const store::Store store = openStore(settings);
  const store::LoadedSkill skill = store.load(settings.skill);
  writeInPlace(settings.file, writeSkillArchive(skill, store.signatures(settings.skill)));
}

// A file or a program gets the bytes as they are. A terminal would obey some of them.
void printDocument(std::string_view bytes) {
  const std::string shown = ::isatty(STDOUT_FILENO) != 0 ? shownText(bytes) : std::string(bytes);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
}

void loadSkill(const StoreSettings &settings) {
  const store::Store store = openStore(settings);
  const store::LoadedSkill skill = store.load(settings.skill);
  if (settings.json && settings.file.empty())
    return printStoredJson(contentJson(examine(store, settings.skill)));
  if (settings.file.empty()) {
    for (const store::FileView &file : skill.files)
      if (file.path == "SKILL.md") printDocument(file.bytes);
    return;
  }
  if (!fs::create_directories(settings.file))
    throw std::runtime_error(settings.file + ": is there already; name a new folder");
  try {
    writeFiles(settings.file, skill);
  } catch (const std::exception &) {
    std::error_code unknown;
    fs::remove_all(settings.file, unknown); // removes an incomplete skill
    throw;
  }
  if (settings.json)
    printStoredJson({{"name", settings.skill},
                     {"version", skill.metadata.version},
                     {"folder", settings.file},
                     {"files", skill.files.size()}});
}

int list(const StoreSettings &settings) {
  std::error_code unknown;
  if (!fs::is_directory(settings.directory, unknown))
    throw std::runtime_error(settings.directory + ": there is no such store");
  const store::Store store = openStore(settings);
  std::vector<StoredSkill> all;
  for (const std::string &name :
       settings.skill.empty() ? store.names() : std::vector<std::string>{settings.skill})
    all.push_back(examine(store, name));
  const bool good =
      std::all_of(all.begin(), all.end(), [](const StoredSkill &one) { return one.isVerified(); });
  if (settings.json) {
    Json skills = Json::array();
    for (const StoredSkill &one : all) skills.push_back(asJson(one));
    printStoredJson({{"store", settings.directory}, {"skills", std::move(skills)}});
  } else {
    std::size_t width = 0;
    for (const StoredSkill &one : all) width = std::max(width, one.name.size());
    for (const StoredSkill &one : all) printShown(stdout, "%s\n", asLine(one, width).c_str());
    printShown(stdout, "%s in %s\n", counted(all.size(), "skill").c_str(),
               settings.directory.c_str());
  }
  // A list succeeds when it reports a fault; a check fails.
  return good || settings.action == Action::List ? 0 : 1;
}

int info(const StoreSettings &settings) {
  const StoredSkill stored = examine(openStore(settings), settings.skill);
  if (settings.json)
    printStoredJson(asJson(stored));
  else if (stored.skill)
    printShown(stdout, "%s", asText(stored).c_str());
  if (!stored.skill) printShown(stderr, "skillhost: %s\n", stored.why.c_str());
  return stored.skill ? 0 : 1;
}

void remove(const StoreSettings &settings) {
  const store::Store store = openStore(settings);
  const std::vector<std::uint64_t> versions = store.versions(settings.skill);
  store.remove(settings.skill);
  if (settings.json)
    return printStoredJson(
        {{"name", settings.skill}, {"store", settings.directory}, {"removed", versions}});
  std::string numbers;
  for (const std::uint64_t version : versions)
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(version);
  printShown(stdout, "%s: removed from %s, %s %s\n", settings.skill.c_str(),
             settings.directory.c_str(), versions.size() == 1 ? "version" : "versions",
             numbers.c_str());
}

void rollback(const StoreSettings &settings) {
  store::RollbackOptions options{settings.rollbackTo, settings.rollbackAbove, nullptr};
  std::optional<store::SignatureKey> key;
  if (!settings.file.empty()) options.key = &key.emplace(store::readSecretKey(settings.file));
  const store::RolledBack done = openStore(settings).rollback(settings.skill, options);
  if (done.losesSignatures)
    printShown(stderr,
               "warning: version %llu was signed as that, and as version %llu it is not: skillhost "
               "skill sign %s --key FILE\n",
               static_cast<unsigned long long>(done.from),
               static_cast<unsigned long long>(done.version), settings.skill.c_str());
  if (settings.json)
    return printStoredJson(
        {{"name", settings.skill}, {"version", done.version}, {"from", done.from}});
  printShown(stdout, "%s: what version %llu holds is the current one again, as version %llu\n",
             settings.skill.c_str(), static_cast<unsigned long long>(done.from),
             static_cast<unsigned long long>(done.version));
}

void push(const StoreSettings &settings, const app::Configuration &configuration,
          const std::string &executable) {
  const Pushed done =
      pushSkill(settings.registry, skillToSave(settings, configuration, executable));
  const std::string reference = settings.registry.reference.text();
  if (settings.json)
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

void pull(const StoreSettings &settings) {
  const Pulled done = pullSkills(settings.registry, settings.file, settings.trustedKeys);
  const std::string reference = settings.registry.reference.text();
  for (const std::string &finding : done.findings)
    printShown(stderr, "warning: %s: %s\n", reference.c_str(), finding.c_str());
  if (settings.json) {
    Json skills = Json::array();
    for (const PulledSkill &one : done.skills)
      skills.push_back({{"name", one.name}, {"folder", one.folder}, {"files", one.files}});
    Json report{{"reference", reference}, {"digest", done.digest}, {"skills", std::move(skills)}};
    if (!done.signer.empty()) report["signed_by"] = done.signer;
    return printStoredJson(report);
  }
  for (const PulledSkill &one : done.skills)
    printShown(stdout, "%s: %s in %s\n", one.name.c_str(), counted(one.files, "file").c_str(),
               one.folder.c_str());
  printShown(stdout, "%s, %s%s\n", reference.c_str(), done.digest.c_str(),
             (done.signer.empty() ? "" : ", signed by " + done.signer).c_str());
}

void makeKey(const StoreSettings &settings) {
  if (settings.action == Action::NewStoreKey) {
    store::writePrivateFile(settings.keyFile, store::newStoreKey());
    printShown(stdout, "%s\n", settings.keyFile.c_str());
    return;
  }
  const std::string open = settings.keyFile + ".pub";
  if (fs::exists(open)) throw std::runtime_error(open + ": is there already: name another file");
  const store::SignatureKeyTexts texts = store::newSignatureKey();
  store::writePrivateFile(settings.keyFile, texts.secret);
  writeInPlace(open, texts.open);
  printShown(stdout, "%s\n%s\n", settings.keyFile.c_str(), open.c_str());
}

} // namespace

int useStore(const StoreSettings &settings, const app::Configuration &configuration,
             const std::string &executable) {
  switch (settings.action) {
  case Action::Save:
    save(settings, configuration, executable);
    break;
  case Action::Load:
    loadSkill(settings);
    break;
  case Action::List:
  case Action::Verify:
    return list(settings);
  case Action::Info:
    return info(settings);
  case Action::Remove:
    remove(settings);
    break;
  case Action::Export:
    exportSkill(settings);
    break;
  case Action::Import:
    importArchive(settings, configuration);
    break;
  case Action::Rollback:
    rollback(settings);
    break;
  case Action::Sign:
    openStore(settings).sign(settings.skill, store::readSecretKey(settings.file));
    break;
  case Action::Push:
    push(settings, configuration, executable);
    break;
  case Action::Pull:
    pull(settings);
    break;
  case Action::NewStoreKey:
  case Action::NewSigningKey:
    makeKey(settings);
    break;
  }
  return 0;
}

} // namespace skillhost
