// SPDX-License-Identifier: Apache-2.0
#include "save_skill.hpp"

#include "ground/await.hpp"
#include "ground/counted.hpp"
#include "ground/shown.hpp"
#include "host.hpp"
#include "skill_folder.hpp"
#include "skillcheck/inspect_text.hpp"
#include "skillcheck/leaked_keys.hpp"
#include "store/limits.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr std::chrono::seconds timeToRead{120};

SkillToSave fromFolder(const std::string &folder) {
  SkillDocuments found = readSkillDocuments(folder);
  for (const auto &[path, why] : found.leftOut)
    printShown(stderr, "warning: %s: left out: %s\n", path.c_str(), why.c_str());
  SkillToSave skill{{}, folder, std::move(found.content)};
  const auto entry = std::find_if(skill.content.files.begin(), skill.content.files.end(),
                                  [](const store::File &file) { return file.path == "SKILL.md"; });
  if (entry == skill.content.files.end())
    throw std::runtime_error(folder + ": has no file SKILL.md, so it is no skill's folder");
  Result<std::string> name = nameInDocument(
      entry->bytes, std::filesystem::path(folder).filename().string(), folder + "/SKILL.md");
  if (!name) throw std::runtime_error(name.failure().message);
  skill.name = *std::move(name);
  return skill;
}

// Leaves out the files of nested skills, which are separate skills.
std::vector<Document> ownDocuments(const Skill &skill) {
  std::vector<Document> own;
  for (const Document &document : skill.files)
    if (document.skill == skill.path) own.push_back(document);
  return own;
}

std::vector<Result<std::string>> readAllOf(const std::shared_ptr<Source> &source,
                                           const std::vector<Document> &documents) {
  std::vector<Result<std::string>> bytes(documents.size(), Failure{Fault::NotFound, "not read"});
  CallOptions options;
  options.deadline = Deadline::after(timeToRead);
  const auto keep = [&](std::size_t index, Result<std::string> one) {
    bytes[index] = std::move(one);
  };
  awaitDone([&](std::function<void()> done) {
    source->readEach(options, documents, store::maxBytes, keep, std::move(done));
  });
  return bytes;
}

SkillToSave fromCatalogue(const std::string &name, const app::Configuration &configuration,
                          const std::string &executable) {
  app::Host host(configuration, executable, app::builtForHosts());
  host.waitUntilReady(false);
  const auto catalogue = host.library().catalogue();
  const CatalogueEntry *const entry = catalogue->byName(name);
  if (entry == nullptr)
    throw std::runtime_error("no skill is named \"" + name +
                             "\"; skillhost skill list names all, "
                             "and a folder is written with a slash: ./" +
                             name);
  const Skill &found = *entry->skill;
  const std::shared_ptr<Source> source = host.library().source(found.source);
  if (!source) throw std::runtime_error("the source " + found.source + " is gone");
  const std::vector<Document> documents = ownDocuments(found);
  if (documents.size() > store::maxFiles)
    throw std::runtime_error(name + ": a skill has at most 512 files");
  std::vector<Result<std::string>> bytes = readAllOf(source, documents);
  SkillToSave skill{found.fields.name, found.folder.empty() ? found.id : found.folder, {}};
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (!bytes[i])
      throw std::runtime_error(name + ": " + documents[i].path + ": " + bytes[i].failure().message);
    // The store calls the entry SKILL.md, whatever its case at the source.
    const bool isEntry = documents[i].path == found.entry().path;
    skill.content.files.push_back(
        {isEntry ? "SKILL.md" : documents[i].path, *std::move(bytes[i]), documents[i].executable});
  }
  return skill;
}

// Throws std::runtime_error that names the first place.
void refuseLeakedKeys(const SkillToSave &skill) {
  std::vector<Finding> keys;
  for (const store::File &file : skill.content.files) {
    const std::string where = skill.origin + '/' + file.path;
    std::vector<Finding> found = findLeakedKeys(readableText(file.bytes, where), where);
    keys.insert(keys.end(), std::make_move_iterator(found.begin()),
                std::make_move_iterator(found.end()));
  }
  if (keys.empty()) return;
  throw std::runtime_error(render(keys.front()) +
                           (keys.size() == 1 ? ""
                                             : "\nand " + counted(keys.size() - 1, "place") +
                                                   " more: skillhost validate names all") +
                           "\nnothing was saved or sent; --allow-leaked-keys does it nevertheless");
}

} // namespace

SkillToSave skillToSave(const StoreSettings &settings, const app::Configuration &configuration,
                        const std::string &executable) {
  SkillToSave skill = settings.folder.empty()
                          ? fromCatalogue(settings.skill, configuration, executable)
                          : fromFolder(settings.folder);
  if (!settings.allowsLeakedKeys) refuseLeakedKeys(skill);
  if (!settings.module.empty())
    skill.content.module = readWholeFile(settings.module, store::maxModuleBytes);
  return skill;
}

} // namespace skillhost
