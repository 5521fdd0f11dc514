// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "registry_options.hpp"
#include "saving.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

// What `skillhost skill` was told of a store, and `skillhost key`. Paths are absolute. The key file
// is also that of who signs, or the one to be made.
struct StoreSettings : SavingSettings {
  enum class Action : std::uint8_t {
    Save,
    Load,
    List,
    Info,
    Remove,
    Verify,
    Export,
    Import,
    Rollback,
    Sign,
    Push,
    Pull,
    NewStoreKey,
    NewSigningKey,
  };
  Action action = Action::List;
  std::vector<std::string> trustedKeys; // files
  bool requireSignature = false;
  std::string skill;  // its name; of Verify empty: all
  std::string folder; // of Save and Push, what is meant; empty: the skill of the catalogue
  std::string file;   // of Load the folder to write to, empty: SKILL.md to stdout; of Export and
                      // Import the archive; of Sign and Rollback the signing key; of Pull the
                      // folder in which the skill's own is made
  std::string module; // of Save, the file to carry along; empty: none
  bool allowsLeakedKeys = false; // of Save and Push
  // Of Rollback: the version to go back to, and a number that the new one is to exceed; 0: not
  // said.
  std::uint64_t rollbackTo = 0, rollbackAbove = 0;
  bool json = false;
  RegistrySettings registry; // of Push and Pull, which know no store
};

// Is the configuration needed too: for a skill of the catalogue that is saved or pushed, or for
// what its sources hold an imported one to?
bool needsConfiguration(const app::ParsedArguments &given);

Result<StoreSettings> readStoreSettings(const app::ParsedArguments &given,
                                        const app::Surroundings &surroundings);

} // namespace skillhost
