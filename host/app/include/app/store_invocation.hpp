// SPDX-License-Identifier: Apache-2.0
// What the commands of a store were told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

// For `skill` with a store, and for `key`. Paths are absolute.
struct StoreInvocation {
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
  std::string directory;                // of the store
  std::string keyFile;                  // of the store, of who signs, or to be made; empty: none
  std::vector<std::string> trustedKeys; // files
  bool requireSignature = false;
  std::string skill;  // its name; of Verify empty: all
  std::string folder; // of Save, what is to be saved; empty: the skill of the catalogue
  std::string file;   // of Load the folder to write to, empty: SKILL.md to stdout; of Export and
                      // Import the archive; of Sign and Rollback the signing key
  std::string module; // of Save, the file to carry along; empty: none
  std::size_t keep = 1;
  // Of Rollback: the version to go back to, and a number that the new one is to exceed; 0: not
  // said.
  std::uint64_t rollbackTo = 0, rollbackAbove = 0;
  bool compress = false;
  bool json = false;
};

} // namespace skillhost::app
