// SPDX-License-Identifier: Apache-2.0
#include "saving.hpp"

#include "base/fault.hpp"
#include "settings/paths.hpp"
#include "store/keys.hpp"
#include "store/location.hpp"

#include <cstdint>
#include <utility>

namespace skillhost {
namespace {

using app::ParsedArguments;
using app::Surroundings;
using settings::absolutePath;

constexpr std::uint64_t maxKeptVersions = 1'000;

} // namespace

Status readSaving(const ParsedArguments &arguments, const Surroundings &surroundings,
                  SavingSettings &settings) {
  const auto path = [&](const char *name) {
    return arguments.has(name)
               ? absolutePath(arguments.last(name), surroundings.workingDirectory, surroundings)
               : std::string{};
  };
  settings.directory = arguments.has("--skill-dir")
                           ? path("--skill-dir")
                           : store::defaultRoot(surroundings.variable("XDG_DATA_HOME"),
                                                surroundings.variable("HOME"));
  if (settings.directory.empty())
    return {Fault::InvalidInput,
            "name the store: --skill-dir DIR (HOME is not set, or no absolute path)"};
  std::uint64_t keep = settings.keep;
  if (Status read = readWholeNumber(arguments, "--keep", "", maxKeptVersions, keep); !read)
    return read;
  settings.keep = keep;
  settings.keyFile = path("--store-key");
  settings.compress = arguments.has("--zstd");
  return Done{};
}

store::SaveOptions saveOptions(const SavingSettings &settings, std::string origin) {
  store::SaveOptions options;
  options.keep = settings.keep;
  options.compression = settings.compress ? store::Compression::Zstd : store::Compression::None;
  options.origin = std::move(origin);
  return options;
}

store::Saved saveIntoStore(const SavingSettings &settings, SkillToSave skill) {
  store::Trust trust;
  if (!settings.keyFile.empty()) trust.key = store::readStoreKey(settings.keyFile);
  return store::Store(settings.directory, trust)
      .save(skill.name, std::move(skill.content), saveOptions(settings, std::move(skill.origin)));
}

} // namespace skillhost
