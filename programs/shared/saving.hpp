// SPDX-License-Identifier: Apache-2.0
// Saves one skill into a store, for `skillhost skill save` and for programs that make a skill.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "store/store.hpp"

#include <cstddef>
#include <string>

namespace skillhost {

struct SavingSettings {
  std::string directory; // absolute path of the store
  std::string keyFile;   // absolute path of its key; empty: none
  std::size_t keep = 1;  // versions to keep, including the new one
  bool compress = false;
};

struct SkillToSave {
  std::string name, origin;
  store::Content content;
};

// Reads the options of savingOptions().
Status readSaving(const app::ParsedArguments &arguments, const app::Surroundings &surroundings,
                  SavingSettings &settings);

store::SaveOptions saveOptions(const SavingSettings &settings, std::string origin);

// Throws std::runtime_error.
store::Saved saveIntoStore(const SavingSettings &settings, SkillToSave skill);

} // namespace skillhost
