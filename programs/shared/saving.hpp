// SPDX-License-Identifier: Apache-2.0
// Putting one skill into a store: for `skillhost skill save`, and for programs that make a skill.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "store/store.hpp"

#include <cstddef>
#include <string>

namespace skillhost {

struct SavingSettings {
  std::string directory; // of the store, absolute
  std::string keyFile;   // its key, absolute; empty: none
  std::size_t keep = 1;  // versions, with the new one
  bool compress = false;
};

struct SkillToSave {
  std::string name, origin;
  store::Content content;
};

// What was given of savingOptions().
Status readSaving(const app::ParsedArguments &given, const app::Surroundings &surroundings,
                  SavingSettings &settings);

store::SaveOptions saveOptions(const SavingSettings &settings, std::string origin);

// Throws std::runtime_error.
store::Saved saveIntoStore(const SavingSettings &settings, SkillToSave skill);

} // namespace skillhost
