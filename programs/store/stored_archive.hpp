// SPDX-License-Identifier: Apache-2.0
// A stored skill as one tar archive: its files in a folder of its name, and beside that folder
// NAME.wasm and NAME.signatures where there are such. Equal skills are equal archives.
#pragma once

#include "store/content.hpp"
#include "store/version.hpp"

#include <string>
#include <string_view>

namespace skillhost {

struct ArchivedSkill {
  std::string name, signatures;
  store::Content content;
};

std::string writeSkillArchive(const store::LoadedSkill &skill, const std::string &signatures);
// Throws std::runtime_error for what no skill's archive may hold; the store's own rules come later.
ArchivedSkill readSkillArchive(std::string_view bytes);

} // namespace skillhost
