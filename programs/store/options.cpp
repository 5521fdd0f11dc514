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

std::optional<Action> actionOf(const ParsedArguments &arguments) {
  if (arguments.commands.size() < 2) return std::nullopt;
  for (const auto &[name, action] : storeActions)
    if (arguments.commands[1] == name) return action;
  return std::nullopt;
}

std::string whatIsMissing(const ParsedArguments &arguments, const StoreSettings &store) {
  switch (store.action) {
  case Action::List:
  case Action::Verify:
  case Action::NewStoreKey:
  case Action::NewSigningKey:
    return {};
  case Action::Import:
    return arguments.has("FILE") ? "" : "name the archive that skill export has made";
  case Action::Export:
    return arguments.has("NAME") && arguments.has("FILE")
               ? ""
               : "say what to export and where to: NAME FILE";
  case Action::Sign:
    return arguments.has("NAME") && arguments.has("--key")
               ? ""
               : "name the skill and the key: skill sign NAME --key FILE";
  case Action::Save:
    return arguments.has("SKILL") ? ""
                                  : "say what to save: a skill's folder such as ./pdf, or the name "
                                    "of a skill that would be served";
  case Action::Push:
    return arguments.has("SKILL") && arguments.has("REFERENCE")
               ? ""
               : "say what to push and where to: skill push ./pdf registry.example/team/pdf:1.2";
  case Action::Pull:
    return arguments.has("REFERENCE") ? "" : "name the artefact: registry.example/team/pdf:1.2";
  case Action::Load:
  case Action::Info:
  case Action::Remove:
  case Action::Rollback:
    return arguments.has("NAME") ? "" : "name the skill";
  }
  return {};
}

bool isPath(const std::string &text) {
  return looksLikePath(text) || text.find('/') != std::string::npos;
}

void takeSkill(const ParsedArguments &arguments, const Surroundings &surroundings,
               StoreSettings &store) {
  const std::string what = arguments.last("SKILL");
  if (isPath(what))
    store.folder = absolutePath(what, surroundings.workingDirectory, surroundings);
  else
    store.skill = what;
}

void takeTrustedKeys(const ParsedArguments &arguments, const Surroundings &surroundings,
                     StoreSettings &store) {
  if (!arguments.has("--trusted-key")) return;
  for (const std::string &file : arguments.values.at("--trusted-key"))
    store.trustedKeys.push_back(absolutePath(file, surroundings.workingDirectory, surroundings));
}

Result<StoreSettings> registrySettings(const ParsedArguments &arguments,
                                       const Surroundings &surroundings, StoreSettings store) {
  Result<RegistrySettings> read = readRegistrySettings(arguments, surroundings);
  if (!read) return refusedArguments(arguments.commands, read.failure().message);
  store.registry = *std::move(read);
  takeSkill(arguments, surroundings, store);
  takeTrustedKeys(arguments, surroundings, store);
  store.json = arguments.has("--json");
  store.allowsLeakedKeys = arguments.has("--allow-leaked-keys");
  if (store.action == Action::Pull)
    store.file = absolutePath(arguments.has("--into") ? arguments.last("--into") : ".",
                              surroundings.workingDirectory, surroundings);
  return store;
}

Result<StoreSettings> keySettings(const ParsedArguments &arguments,
                                  const Surroundings &surroundings) {
  if (arguments.commands.size() < 2)
    return refusedArguments(arguments.commands, "choose a command: key new FILE");
  const bool ofStore = arguments.last("--kind") == "store";
  StoreSettings store;
  store.action = ofStore ? Action::NewStoreKey : Action::NewSigningKey;
  if (arguments.has("FILE"))
    store.keyFile =
        absolutePath(arguments.last("FILE"), surroundings.workingDirectory, surroundings);
  else
    store.keyFile = skillhost::store::defaultKeyFile(surroundings.variable("XDG_CONFIG_HOME"),
                                                     surroundings.variable("HOME"),
                                                     ofStore ? "store.key" : "signing.key");
  if (store.keyFile.empty())
    return refusedArguments(arguments.commands,
                            "name the file to make (HOME is not set, or no absolute path)");
  return store;
}

} // namespace

bool needsConfiguration(const ParsedArguments &arguments) {
  const std::optional<Action> action = actionOf(arguments);
  return action == Action::Import || ((action == Action::Save || action == Action::Push) &&
                                      arguments.has("SKILL") && !isPath(arguments.last("SKILL")));
}

Result<StoreSettings> readStoreSettings(const ParsedArguments &arguments,
                                        const Surroundings &surroundings) {
  if (arguments.commands.front() == "key") return keySettings(arguments, surroundings);
  StoreSettings store;
  store.action = *actionOf(arguments);
  const auto path = [&](const char *name) {
    return arguments.has(name)
               ? absolutePath(arguments.last(name), surroundings.workingDirectory, surroundings)
               : std::string{};
  };
  if (const std::string missing = whatIsMissing(arguments, store); !missing.empty())
    return refusedArguments(arguments.commands, missing);
  if (store.action == Action::Push || store.action == Action::Pull)
    return registrySettings(arguments, surroundings, std::move(store));
  Status read = readSaving(arguments, surroundings, store);
  if (read) read = readWholeNumber(arguments, "--to", "", UINT32_MAX, store.rollbackTo);
  if (read) read = readWholeNumber(arguments, "--above", "", UINT32_MAX, store.rollbackAbove);
  if (!read) return refusedArguments(arguments.commands, read.failure().message);
  takeTrustedKeys(arguments, surroundings, store);
  store.requireSignature = arguments.has("--require-signature");
  if (store.requireSignature && store.trustedKeys.empty())
    return refusedArguments(arguments.commands,
                            "--require-signature: say whose: --trusted-key FILE");
  store.skill = arguments.last("NAME");
  store.module = path("--wasm");
  store.allowsLeakedKeys = arguments.has("--allow-leaked-keys");
  store.json = arguments.has("--json");
  store.file = store.action == Action::Load                                       ? path("--output")
               : store.action == Action::Sign || store.action == Action::Rollback ? path("--key")
                                                                                  : path("FILE");
  if (arguments.has("SKILL")) takeSkill(arguments, surroundings, store);
  return store;
}

} // namespace skillhost
