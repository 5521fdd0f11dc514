// SPDX-License-Identifier: Apache-2.0
// What the commands of a store were told.
#pragma once

#include "app/saving_settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

// For `skill` with a store, and for `key`. Paths are absolute. The key file is also that of who
// signs, or the one to be made.
struct StoreInvocation : SavingSettings {
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
    NewStoreKey,
    NewSigningKey,
  };
  Action action = Action::List;
  std::vector<std::string> trustedKeys; // files
  bool requireSignature = false;
  std::string skill;  // its name; of Verify empty: all
  std::string folder; // of Save, what is to be saved; empty: the skill of the catalogue
  std::string file;   // of Load the folder to write to, empty: SKILL.md to stdout; of Export and
                      // Import the archive; of Sign and Rollback the signing key
  std::string module; // of Save, the file to carry along; empty: none
  // Of Rollback: the version to go back to, and a number that the new one is to exceed; 0: not
  // said.
  std::uint64_t rollbackTo = 0, rollbackAbove = 0;
  bool json = false;
};

} // namespace skillhost::app
