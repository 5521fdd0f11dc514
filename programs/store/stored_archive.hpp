// SPDX-License-Identifier: Apache-2.0
// A stored skill as a tar archive: its files in a folder with its name, and beside that folder
// NAME.wasm and NAME.signatures if they exist. Equal skills make equal archives.
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
// Throws std::runtime_error for content that no skill's archive may have. The store's own rules are
// checked later.
ArchivedSkill readSkillArchive(std::string_view bytes);

} // namespace skillhost
