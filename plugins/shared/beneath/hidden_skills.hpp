// SPDX-License-Identifier: Apache-2.0
// Counts the skills below folders whose names begin with a dot, which are passed over unless a
// setting says otherwise: who has some should hear of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost::beneath {

// Part of every warning about such skills, by which commands know it.
inline constexpr std::string_view belowHiddenFolders = "below folders whose names begin with a dot";

class HiddenSkills {
public:
  // Looks below the folder at `path`, which a user knows as `shown`. It follows no links, and
  // passes over .git and litter. All calls together look into a limited number of folders.
  void look(const std::string &path, const std::string &shown);

  std::size_t count() const noexcept { return count_; }
  // "3 skills are passed over below folders whose names begin with a dot, such as .claude/a".
  std::string words() const;

private:
  void countIn(const std::string &shown);

  std::size_t count_ = 0;
  std::size_t folders_ = 0; // looked into
  std::string first_;       // in order of bytes
};

} // namespace skillhost::beneath
