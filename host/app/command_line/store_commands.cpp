// SPDX-License-Identifier: Apache-2.0
#include "command_line/store_commands.hpp"

#include "configuration/paths.hpp"
#include "store/location.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace skillhost::app {
namespace {

using Action = StoreInvocation::Action;

constexpr const char *storeGroup = "Store options";
constexpr std::size_t mostKept = 1'000;
constexpr std::array<std::pair<const char *, Action>, 10> storeActions{{
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
}};

ArgumentDescription directoryOption() {
  return {{"--skill-dir"},
          "DIR",
          "The store. Default: skillhost/skills in $XDG_DATA_HOME or ~/.local/share.",
          storeGroup};
}
ArgumentDescription storeKeyOption() {
  return {{"--store-key"},
          "FILE",
          "The store's key: checksums are made with it, and must be.",
          storeGroup};
}
std::vector<ArgumentDescription> trustOptions() {
  return {{{"--trusted-key"},
           "FILE",
           "A public key in PEM whose signatures count; a wrong one is refused.",
           storeGroup,
           false,
           true},
          {{"--require-signature"}, "", "Refuse what no trusted key has signed.", storeGroup}};
}
std::vector<ArgumentDescription> writingOptions() {
  return {directoryOption(),
          storeKeyOption(),
          {{"--keep"}, "N", "How many versions to keep, with the new one. Default: 1.", storeGroup},
          {{"--zstd"}, "", "Compress the files by Zstandard.", storeGroup}};
}

std::vector<ArgumentDescription> joinedOptions(std::vector<ArgumentDescription> first,
                                               const std::vector<ArgumentDescription> &rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

std::vector<ArgumentDescription> readingOptions() {
  return joinedOptions({directoryOption(), storeKeyOption()}, trustOptions());
}

std::optional<Action> actionOf(const ParsedArguments &given) {
  if (given.commands.size() < 2) return std::nullopt;
  for (const auto &[name, action] : storeActions)
    if (given.commands[1] == name) return action;
  return std::nullopt;
}

// Empty, or what is wrong. What is not given stays as it is.
template <class Number>
std::string readNumber(const ParsedArguments &given, const char *option, std::uint64_t most,
                       Number &number) {
  if (!given.has(option)) return {};
  const std::string text = given.last(option);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size() && number >= 1 && number <= most)
    return {};
  return std::string(option) + ": expected a whole number from 1 to " + std::to_string(most) +
         ", found \"" + text + '"';
}

std::string whatIsMissing(const ParsedArguments &given, const StoreInvocation &store) {
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

Result<Invocation> keyInvocation(const ParsedArguments &given, const Surroundings &surroundings) {
  if (given.commands.size() < 2)
    return refusedArguments(given.commands, "say what to do: key new FILE");
  const bool ofStore = given.last("--kind") == "store";
  Invocation invocation;
  invocation.command = Invocation::Command::Store;
  invocation.store.action = ofStore ? Action::NewStoreKey : Action::NewSigningKey;
  if (given.has("FILE"))
    invocation.store.keyFile =
        absolutePath(given.last("FILE"), surroundings.workingDirectory, surroundings);
  else
    invocation.store.keyFile =
        store::defaultKeyFile(surroundings.variable("XDG_CONFIG_HOME"),
                              surroundings.variable("HOME"), ofStore ? "store.key" : "signing.key");
  if (invocation.store.keyFile.empty())
    return refusedArguments(given.commands,
                            "name the file to make (HOME is not set, or no absolute path)");
  return invocation;
}

} // namespace

std::vector<ArgumentDescription> storeOptions() { return readingOptions(); }
std::vector<ArgumentDescription> savingOptions() { return writingOptions(); }

Status readSaving(const ParsedArguments &given, const Surroundings &surroundings,
                  StoreInvocation &store) {
  const auto path = [&](const char *name) {
    return given.has(name)
               ? absolutePath(given.last(name), surroundings.workingDirectory, surroundings)
               : std::string{};
  };
  store.directory = given.has("--skill-dir")
                        ? path("--skill-dir")
                        : store::defaultRoot(surroundings.variable("XDG_DATA_HOME"),
                                             surroundings.variable("HOME"));
  if (store.directory.empty())
    return {Fault::InvalidInput,
            "name the store: --skill-dir DIR (HOME is not set, or no absolute path)"};
  for (std::string wrong : {readNumber(given, "--keep", mostKept, store.keep),
                            readNumber(given, "--to", UINT32_MAX, store.rollbackTo),
                            readNumber(given, "--above", UINT32_MAX, store.rollbackAbove)})
    if (!wrong.empty()) return {Fault::InvalidInput, std::move(wrong)};
  store.keyFile = path("--store-key");
  store.compress = given.has("--zstd");
  return Done{};
}

std::vector<CommandDescription> storeDescriptions(const ArgumentDescription &help,
                                                  const ArgumentDescription &json) {
  const ArgumentDescription name{{"NAME"}, "TEXT", "The skill's name."};
  const auto reading = joinedOptions({help, json}, readingOptions());
  const auto writing = joinedOptions({help, json}, writingOptions());
  return {
      {"save",
       "Put a skill into the store.",
       true,
       joinedOptions(writing, {{{"--wasm"}, "FILE", "Carry this module along.", storeGroup}}),
       {{{"SKILL"}, "PATH", "A skill's folder, with a slash; or a skill's name."}}},
      {"load",
       "Verify a stored skill and print its SKILL.md, or write its files.",
       false,
       joinedOptions(reading, {{{"--output"}, "DIR", "A new folder for its files.", storeGroup}}),
       {name}},
      {"remove", "Take a skill out of the store.", false, {help, directoryOption()}, {name}},
      {"verify",
       "Check one stored skill, or all; exit code 1 when one is wrong.",
       false,
       reading,
       {name}},
      {"export",
       "Write a stored skill to a tar archive.",
       false,
       reading,
       {name, {{"FILE"}, "FILE", "The archive."}}},
      {"import",
       "Put the skill of a tar archive into the store; with --config only what the sources of that "
       "store would serve.",
       true,
       joinedOptions(writing, trustOptions()),
       {{{"FILE"}, "FILE", "The archive."}}},
      {"rollback",
       "Save what an earlier version holds as a new one; it must verify.",
       false,
       {help,
        json,
        directoryOption(),
        storeKeyOption(),
        {{"--to"},
         "N",
         "The version to go back to, of those that are kept. Default: the one before the newest.",
         storeGroup},
        {{"--above"},
         "N",
         "Give it a larger number than this: the one that a server has served, as its log says.",
         storeGroup},
        {{"--key"}, "FILE", "Sign it with this secret key.", storeGroup}},
       {name}},
      {"sign",
       "Vouch for a stored skill.",
       false,
       {help,
        directoryOption(),
        storeKeyOption(),
        {{"--key"}, "FILE", "The secret key that skillhost key new has made.", storeGroup}},
       {name}},
  };
}

CommandDescription keyDescription(const ArgumentDescription &help) {
  CommandDescription command{"key", "Make keys for stores of skills.", false, {help}};
  command.commands = {
      {"new",
       "Make a key, in a file for its owner alone.",
       false,
       {help,
        {{"--kind"},
         "signing|store",
         "signing (the default): an Ed25519 pair, the public one in FILE.pub. store: the key of "
         "keyed checksums.",
         "General options"}},
       {{{"FILE"},
         "FILE",
         "Default: skillhost/signing.key, or store.key, in $XDG_CONFIG_HOME or ~/.config."}}}};
  return command;
}

bool concernsStore(const ParsedArguments &given) {
  const std::optional<Action> action = actionOf(given);
  if (given.commands.empty() || given.commands.front() != "skill" || !action) return false;
  const bool both = *action == Action::List || *action == Action::Info;
  return !both || given.has("--skill-dir") || given.has("--store-key") ||
         given.has("--trusted-key");
}

bool needsConfiguration(const ParsedArguments &given) {
  const std::optional<Action> action = actionOf(given);
  return action == Action::Import ||
         (action == Action::Save && given.has("SKILL") && !isPath(given.last("SKILL")));
}

Result<Invocation> storeInvocation(const ParsedArguments &given, const Surroundings &surroundings) {
  if (given.commands.front() == "key") return keyInvocation(given, surroundings);
  Invocation invocation;
  invocation.command = Invocation::Command::Store;
  StoreInvocation &store = invocation.store;
  store.action = *actionOf(given);
  const auto path = [&](const char *name) {
    return given.has(name)
               ? absolutePath(given.last(name), surroundings.workingDirectory, surroundings)
               : std::string{};
  };
  if (const std::string missing = whatIsMissing(given, store); !missing.empty())
    return refusedArguments(given.commands, missing);
  if (const Status read = readSaving(given, surroundings, store); !read)
    return refusedArguments(given.commands, read.failure().message);
  if (given.has("--trusted-key"))
    for (const std::string &file : given.values.at("--trusted-key"))
      store.trustedKeys.push_back(absolutePath(file, surroundings.workingDirectory, surroundings));
  store.requireSignature = given.has("--require-signature");
  if (store.requireSignature && store.trustedKeys.empty())
    return refusedArguments(given.commands, "--require-signature: say whose: --trusted-key FILE");
  store.skill = given.last("NAME");
  store.module = path("--wasm");
  store.json = given.has("--json");
  store.file = store.action == Action::Load                                       ? path("--output")
               : store.action == Action::Sign || store.action == Action::Rollback ? path("--key")
                                                                                  : path("FILE");
  const std::string what = given.last("SKILL");
  if (isPath(what))
    store.folder = path("SKILL");
  else if (!what.empty())
    store.skill = what;
  return invocation;
}

} // namespace skillhost::app
