// SPDX-License-Identifier: Apache-2.0
#include "beneath/hidden_skills.hpp"

#include "ground/counted.hpp"
#include "ground/document_names.hpp"
#include "ground/folder.hpp"
#include "ground/text.hpp"

#include <filesystem>
#include <system_error>
#include <vector>

namespace skillhost::beneath {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxFolders = 1'000; // a browser's profile has many folders and no skill

bool isEntry(std::string_view name) { return asciiLowered(name) == "skill.md"; }

} // namespace

void HiddenSkills::countIn(const std::string &shown) {
  if (count_++ == 0 || shown < first_) first_ = shown;
}

void HiddenSkills::search(const std::string &path, const std::string &shown) {
  struct Place {
    std::string path, shown;
  };
  if (kindOfName(std::string_view(shown).substr(shown.rfind('/') + 1)) == NameKind::Litter) return;
  std::vector<Place> pending{{path, shown}};
  while (!pending.empty() && folders_ < maxFolders) {
    const Place place = std::move(pending.back());
    pending.pop_back();
    ++folders_;
    std::error_code error;
    bool isSkill = false;
    for (const std::string &name : namesIn(place.path, error)) {
      std::error_code unknown;
      const fs::file_type type = fs::symlink_status(place.path + '/' + name, unknown).type();
      isSkill = isSkill || (type == fs::file_type::regular && isEntry(name));
      if (type == fs::file_type::directory && kindOfName(name) != NameKind::Litter)
        pending.push_back({place.path + '/' + name, place.shown + '/' + name});
    }
    if (isSkill) countIn(place.shown);
  }
}

std::string HiddenSkills::words() const {
  return (folders_ < maxFolders ? "" : "at least ") + counted(count_, "skill") +
         (count_ == 1 ? " is passed over " : " are passed over ") +
         std::string(belowHiddenFolders) + ", such as " + first_;
}

} // namespace skillhost::beneath
