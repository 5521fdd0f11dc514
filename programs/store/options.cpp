// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "settings/paths.hpp"
#include "store/location.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

using app::ParsedArguments;
using app::readWholeNumber;
using app::refusedArguments;
using app::Surroundings;
using settings::absolutePath;
using settings::looksLikePath;

using Action = StoreSettings::Action;

constexpr std::array<std::pair<const char *, Action>, 12> storeActions{{
    {"save", Action::Save},
    {"load", Action::Load},
    {"list", Action::List},
    {"info", Action::Info},
    {"remove", Action::Remove},
    {"verify", Action::Verify},
    {"export", Action::Export},
    {"import", Action::Import},
    {"rollback", Action::Rollback},
    {"sign", Action::Sign},
    {"push", Action::Push},
    {"pull", Action::Pull},
}};

std::optional<Action> actionOf(const ParsedArguments &given) {
  if (given.commands.size() < 2) return std::nullopt;
  for (const auto &[name, action] : storeActions)
    if (given.commands[1] == name) return action;
  return std::nullopt;
}

std::string whatIsMissing(const ParsedArguments &given, const StoreSettings &store) {
  switch (store.action) {
  case Action::List:
  case Action::Verify:
  case Action::NewStoreKey:
  case Action::NewSigningKey:
    return {};
  case Action::Import:
    return given.has("FILE") ? "" : "name the archive that skill export has made";
  case Action::Export:
    return given.has("NAME") && given.has("FILE") ? ""
                                                  : "say what to export and where to: NAME FILE";
  case Action::Sign:
    return given.has("NAME") && given.has("--key")
               ? ""
               : "name the skill and the key: skill sign NAME --key FILE";
  case Action::Save:
    return given.has("SKILL") ? ""
                              : "say what to save: a skill's folder such as ./pdf, or the name "
                                "of a skill that would be served";
  case Action::Push:
    return given.has("SKILL") && given.has("REFERENCE")
               ? ""
               : "say what to push and where to: skill push ./pdf registry.example/team/pdf:1.2";
  case Action::Pull:
    return given.has("REFERENCE") ? "" : "name the artefact: registry.example/team/pdf:1.2";
  case Action::Load:
  case Action::Info:
  case Action::Remove:
  case Action::Rollback:
    return given.has("NAME") ? "" : "name the skill";
  }
  return {};
}

bool isPath(const std::string &text) {
  return looksLikePath(text) || text.find('/') != std::string::npos;
}

void takeSkill(const ParsedArguments &given, const Surroundings &surroundings,
               StoreSettings &store) {
  const std::string what = given.last("SKILL");
  if (isPath(what))
    store.folder = absolutePath(what, surroundings.workingDirectory, surroundings);
  else
    store.skill = what;
}

void takeTrustedKeys(const ParsedArguments &given, const Surroundings &surroundings,
                     StoreSettings &store) {
  if (!given.has("--trusted-key")) return;
  for (const std::string &file : given.values.at("--trusted-key"))
    store.trustedKeys.push_back(absolutePath(file, surroundings.workingDirectory, surroundings));
}

Result<StoreSettings> registrySettings(const ParsedArguments &given,
                                       const Surroundings &surroundings, StoreSettings store) {
  Result<RegistrySettings> read = readRegistrySettings(given, surroundings);
  if (!read) return refusedArguments(given.commands, read.failure().message);
  store.registry = *std::move(read);
  takeSkill(given, surroundings, store);
  takeTrustedKeys(given, surroundings, store);
  store.json = given.has("--json");
  store.allowsLeakedKeys = given.has("--allow-leaked-keys");
  if (store.action == Action::Pull)
    store.file = absolutePath(given.has("--into") ? given.last("--into") : ".",
                              surroundings.workingDirectory, surroundings);
  return store;
}

Result<StoreSettings> keySettings(const ParsedArguments &given, const Surroundings &surroundings) {
  if (given.commands.size() < 2)
    return refusedArguments(given.commands, "choose a command: key new FILE");
  const bool ofStore = given.last("--kind") == "store";
  StoreSettings store;
  store.action = ofStore ? Action::NewStoreKey : Action::NewSigningKey;
  if (given.has("FILE"))
    store.keyFile = absolutePath(given.last("FILE"), surroundings.workingDirectory, surroundings);
  else
    store.keyFile = skillhost::store::defaultKeyFile(surroundings.variable("XDG_CONFIG_HOME"),
                                                     surroundings.variable("HOME"),
                                                     ofStore ? "store.key" : "signing.key");
  if (store.keyFile.empty())
    return refusedArguments(given.commands,
                            "name the file to make (HOME is not set, or no absolute path)");
  return store;
}

} // namespace

bool needsConfiguration(const ParsedArguments &given) {
  const std::optional<Action> action = actionOf(given);
  return action == Action::Import || ((action == Action::Save || action == Action::Push) &&
                                      given.has("SKILL") && !isPath(given.last("SKILL")));
}

Result<StoreSettings> readStoreSettings(const ParsedArguments &given,
                                        const Surroundings &surroundings) {
  if (given.commands.front() == "key") return keySettings(given, surroundings);
  StoreSettings store;
  store.action = *actionOf(given);
  const auto path = [&](const char *name) {
    return given.has(name)
               ? absolutePath(given.last(name), surroundings.workingDirectory, surroundings)
               : std::string{};
  };
  if (const std::string missing = whatIsMissing(given, store); !missing.empty())
    return refusedArguments(given.commands, missing);
  if (store.action == Action::Push || store.action == Action::Pull)
    return registrySettings(given, surroundings, std::move(store));
  Status read = readSaving(given, surroundings, store);
  if (read) read = readWholeNumber(given, "--to", "", UINT32_MAX, store.rollbackTo);
  if (read) read = readWholeNumber(given, "--above", "", UINT32_MAX, store.rollbackAbove);
  if (!read) return refusedArguments(given.commands, read.failure().message);
  takeTrustedKeys(given, surroundings, store);
  store.requireSignature = given.has("--require-signature");
  if (store.requireSignature && store.trustedKeys.empty())
    return refusedArguments(given.commands, "--require-signature: say whose: --trusted-key FILE");
  store.skill = given.last("NAME");
  store.module = path("--wasm");
  store.allowsLeakedKeys = given.has("--allow-leaked-keys");
  store.json = given.has("--json");
  store.file = store.action == Action::Load                                       ? path("--output")
               : store.action == Action::Sign || store.action == Action::Rollback ? path("--key")
                                                                                  : path("FILE");
  if (given.has("SKILL")) takeSkill(given, surroundings, store);
  return store;
}

} // namespace skillhost
