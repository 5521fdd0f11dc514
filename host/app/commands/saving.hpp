// SPDX-License-Identifier: Apache-2.0
// Putting one skill into a store: for `skillhost skill save`, and for programs that make a skill.
#pragma once

#include "app/saving_settings.hpp"
#include "app/surroundings.hpp"
#include "command_line/parser.hpp"
#include "store/store.hpp"

#include <string>

namespace skillhost::app {

struct SkillToSave {
  std::string name, origin;
  store::Content content;
};

// What was given of savingOptions().
Status readSaving(const ParsedArguments &given, const Surroundings &surroundings,
                  SavingSettings &settings);

store::SaveOptions saveOptions(const SavingSettings &settings, std::string origin);

// Throws std::runtime_error.
store::Saved saveIntoStore(const SavingSettings &settings, SkillToSave skill);

} // namespace skillhost::app
