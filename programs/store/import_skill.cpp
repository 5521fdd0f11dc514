// SPDX-License-Identifier: Apache-2.0
#include "import_skill.hpp"

#include "skill_folder.hpp"
#include "store/checksum.hpp"
#include "store/limits.hpp"
#include "store/listing.hpp"
#include "store/problem.hpp"
#include "store_sources.hpp"
#include "stored_archive.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

// Allows the same size again for the headers and block ends of a tar.
constexpr std::size_t maxArchiveBytes =
    store::maxBytes + store::maxModuleBytes + (store::maxFiles + 2) * 4'096 + 65'536;

ArchivedSkill readArchive(const std::string &file) try {
  return readSkillArchive(readWholeFile(file, maxArchiveBytes));
} catch (const store::StoreError &) {
  throw;
} catch (const std::runtime_error &why) {
  throw std::runtime_error(file + ": " + why.what());
}

store::SignedVersion versionOf(ArchivedSkill &skill) {
  store::checkContent(skill.name, skill.content);
  const std::string &module = skill.content.module;
  return {skill.name, store::versionSigned(skill.signatures).value_or(0),
          store::contentDigest(store::writeListing(skill.content.files),
                               module.empty() ? std::nullopt
                                              : std::optional<std::string_view>(module))};
}

} // namespace

Imported importSkill(const StoreSettings &settings, const app::Configuration &configuration,
                     const store::Trust &trust, store::SaveOptions options) {
  ArchivedSkill skill = readArchive(settings.file);
  const store::SignedVersion version = versionOf(skill);
  Imported imported{skill.name, {}, {}, !skill.signatures.empty()};
  store::Trust strictest = trust;
  const auto hold = [&](const store::Trust &to, const std::string &by) {
    try {
      if (to.key != trust.key)
        throw std::runtime_error(to.key ? "it wants its own key: name it by --store-key"
                                        : "it has no key: leave out --store-key");
      const store::SignatureVerdict verdict = store::judge(to, skill.signatures, version);
      if (verdict.how != store::Signed::NotAsked) imported.signature = verdict;
      if (to.signatures > strictest.signatures) strictest = to;
    } catch (const std::runtime_error &why) {
      throw std::runtime_error(skill.name + " was not imported: " + by + why.what());
    }
  };
  hold(trust, "");
  const std::vector<StoreSource> sources = storeSources(configuration, settings.directory);
  imported.isElsewhere = sources.empty() && servesAnyStore(configuration);
  for (const StoreSource &source : sources)
    hold(source.trust, "the source " + source.name + " would not serve it: ");
  // An existing copy stays only if it would be served, too.
  options.signatures = skill.signatures;
  imported.saved = store::Store(settings.directory, strictest)
                       .save(skill.name, std::move(skill.content), options);
  return imported;
}

} // namespace skillhost
