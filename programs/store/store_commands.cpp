// SPDX-License-Identifier: Apache-2.0
#include "store_commands.hpp"

#include "store_options.hpp"

namespace skillhost::app {
namespace {

constexpr const char *storeGroup = storeOptionsGroup, *registryGroup = "Registry options";

ArgumentDescription leakedKeysOption(const char *group) {
  return {{"--allow-leaked-keys"},
          "",
          "Accept a skill that seems to contain a key or token; without this option it is refused.",
          group};
}
std::vector<ArgumentDescription> joinedOptions(std::vector<ArgumentDescription> first,
                                               const std::vector<ArgumentDescription> &rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

std::vector<ArgumentDescription> registryOptions() {
  return {
      {{"--user"},
       "NAME",
       "The user of the login, with a token; some registries need none.",
       registryGroup},
      {{"--token-env"},
       "NAME",
       "The environment variable that holds the token or password.",
       registryGroup},
      {{"--token-file"}, "FILE", "The file that holds the token or password.", registryGroup},
      {{"--docker-config"},
       "FILE",
       "A file of Docker's logins, or podman's auth.json, in place of a token. Default: "
       "config.json in $DOCKER_CONFIG or ~/.docker, if it is there.",
       registryGroup},
      {{"--credential-helper"},
       "NAME",
       "Allow docker-credential-NAME to be run if the file of logins leaves a login to it. "
       "Default: "
       "none is run.",
       registryGroup,
       false,
       true},
      {{"--ca-file"},
       "FILE",
       "Trust the authorities in this PEM file instead of the system's.",
       registryGroup},
      {{"--plain-http"},
       "",
       "Use http:// for a registry of this machine (127.0.0.1, [::1], localhost).",
       registryGroup},
      {{"--allow-private-addresses"},
       "",
       "Let the registry's name, a redirect or an authority for tokens lead to addresses of this "
       "network.",
       registryGroup},
      {{"--timeout"},
       "SECONDS",
       "How long the whole operation may take. Default: 300.",
       registryGroup},
  };
}

CommandDescription pushDescription(const ArgumentDescription &help,
                                   const ArgumentDescription &json) {
  return {
      "push",
      "Put a skill into an OCI registry, where the source oci and ToolHive's tools read it; "
      "prints its digest.",
      true,
      joinedOptions({help,
                     json,
                     {{"--force"}, "", "Replace a tag that names another artefact.", registryGroup},
                     leakedKeysOption(registryGroup)},
                    registryOptions()),
      {{{"SKILL"}, "PATH", "A skill's folder, with a slash; or a skill's name."},
       {{"REFERENCE"},
        "REF",
        "registry.example/team/skill:1.2; without a tag it can be had by its digest alone."}}};
}

CommandDescription pullDescription(const ArgumentDescription &help,
                                   const ArgumentDescription &json) {
  return {
      "pull",
      "Write the skills of an artefact of an OCI registry to folders of their names, each whole "
      "or not at all.",
      false,
      joinedOptions(
          {help,
           json,
           {{"--into"},
            "DIR",
            "Where to create these folders. Default: the working directory.",
            registryGroup},
           {{"--force"}, "", "Replace a skill's folder that is there already.", registryGroup},
           {{"--trusted-key"},
            "FILE",
            "A public key in PEM, ECDSA P-256 or Ed25519: the artefact must have a signature of "
            "cosign's by one of these.",
            registryGroup,
            false,
            true}},
          registryOptions()),
      {{{"REFERENCE"},
        "REF",
        "registry.example/team/skill:1.2, or registry.example/team/skill@sha256:…; without "
        "either the tag is latest."}}};
}

} // namespace

std::vector<CommandDescription> storeDescriptions(const ArgumentDescription &help,
                                                  const ArgumentDescription &json) {
  const ArgumentDescription name{{"NAME"}, "TEXT", "The skill's name."};
  const auto reading = joinedOptions({help, json}, storeOptions());
  const auto writing = joinedOptions({help, json}, savingOptions());
  std::vector<CommandDescription> commands{
      {"save",
       "Put a skill into the store.",
       true,
       joinedOptions(
           writing,
           {{{"--wasm"}, "FILE", "Store this WebAssembly module with the skill.", storeGroup},
            leakedKeysOption(storeGroup)}),
       {{{"SKILL"}, "PATH", "A skill's folder, with a slash; or a skill's name."}}},
      {"load",
       "Verify a stored skill and print its SKILL.md, or write its files.",
       false,
       joinedOptions(reading, {{{"--output"}, "DIR", "A new folder for its files.", storeGroup}}),
       {name}},
      {"remove",
       "Remove a skill from the store, and print which versions were removed.",
       false,
       {help, json, storeDirectoryOption()},
       {name}},
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
       joinedOptions(writing, storeTrustOptions()),
       {{{"FILE"}, "FILE", "The archive."}}},
      {"rollback",
       "Save the content of an earlier version as a new version; the earlier one must verify.",
       false,
       {help,
        json,
        storeDirectoryOption(),
        storeKeyOption(),
        {{"--to"},
         "N",
         "The version to go back to, of those that are kept. Default: the one before the newest.",
         storeGroup},
        {{"--above"},
         "N",
         "Give the new version a larger number than this one, which a server has served and its "
         "log names.",
         storeGroup},
        {{"--key"}, "FILE", "Sign it with this secret key.", storeGroup}},
       {name}},
      {"sign",
       "Sign a stored skill.",
       false,
       {help,
        storeDirectoryOption(),
        storeKeyOption(),
        {{"--key"}, "FILE", "The secret key that skillhost key new has made.", storeGroup}},
       {name}},
      pushDescription(help, json),
      pullDescription(help, json),
  };
  int position = 300;
  for (CommandDescription &command : commands) {
    command.position = position;
    position += 10;
  }
  return commands;
}

CommandDescription keyDescription(const ArgumentDescription &help) {
  CommandDescription command{"key", "Make keys for stores of skills.", false, {help}};
  command.position = 1400;
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

} // namespace skillhost::app
