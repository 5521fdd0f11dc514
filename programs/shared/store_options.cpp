// SPDX-License-Identifier: Apache-2.0
#include "store_options.hpp"

#include <utility>

namespace skillhost::app {

ArgumentDescription storeDirectoryOption() {
  return {{"--skill-dir"},
          "DIR",
          "The store. Default: skillhost/skills in $XDG_DATA_HOME or ~/.local/share.",
          storeOptionsGroup};
}

ArgumentDescription storeKeyOption() {
  return {{"--store-key"},
          "FILE",
          "The store's key: checksums are made with it, and must be.",
          storeOptionsGroup};
}

std::vector<ArgumentDescription> storeTrustOptions() {
  return {
      {{"--trusted-key"},
       "FILE",
       "A public key in PEM whose signatures count; a wrong one is refused.",
       storeOptionsGroup,
       false,
       true},
      {{"--require-signature"}, "", "Refuse what no trusted key has signed.", storeOptionsGroup}};
}

std::vector<ArgumentDescription> storeOptions() {
  std::vector<ArgumentDescription> options{storeDirectoryOption(), storeKeyOption()};
  for (ArgumentDescription &option : storeTrustOptions()) options.push_back(std::move(option));
  return options;
}

std::vector<ArgumentDescription> savingOptions() {
  return {storeDirectoryOption(),
          storeKeyOption(),
          {{"--keep"},
           "N",
           "How many versions to keep, with the new one. Default: 1.",
           storeOptionsGroup},
          {{"--zstd"}, "", "Compress the files by Zstandard.", storeOptionsGroup}};
}

bool concernsStore(const ParsedArguments &arguments) {
  return arguments.has("--skill-dir") || arguments.has("--store-key") ||
         arguments.has("--trusted-key");
}

} // namespace skillhost::app
