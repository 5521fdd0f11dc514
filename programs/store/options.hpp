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

// The settings of `skillhost skill` with a store, and of `skillhost key`. Paths are absolute. The
// key file is also the signer's, or the one to make.
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
  std::string skill;  // its name; for Verify, empty means all
  std::string folder; // for Save and Push: the folder; empty: the skill of the catalogue
  // Load: the target folder (empty: print SKILL.md). Export and Import: the archive. Sign and
  // Rollback: the signing key. Pull: the parent of the skill's folder.
  std::string file;
  std::string module;            // for Save: a module to include; empty: none
  bool allowsLeakedKeys = false; // for Save and Push
  // For Rollback: the version to restore, and a number that the new version must exceed; 0: not
  // given.
  std::uint64_t rollbackTo = 0, rollbackAbove = 0;
  bool json = false;
  RegistrySettings registry; // for Push and Pull, which use no store
};

// Returns true if the command also needs the configuration: to save or push a skill of the
// catalogue, or to apply the rules of its sources to an imported one.
bool needsConfiguration(const app::ParsedArguments &arguments);

Result<StoreSettings> readStoreSettings(const app::ParsedArguments &arguments,
                                        const app::Surroundings &surroundings);

} // namespace skillhost
