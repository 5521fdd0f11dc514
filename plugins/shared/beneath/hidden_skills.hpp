// SPDX-License-Identifier: Apache-2.0
// Counts the skills below folders whose names begin with a dot. They are skipped unless a setting
// includes them, so their owner should know.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost::beneath {

// A part of every warning about such skills, by which commands recognise it.
inline constexpr std::string_view belowHiddenFolders = "below folders whose names begin with a dot";

class HiddenSkills {
public:
  // Searches below the folder at `path`, which the user knows as `shown`. It follows no links and
  // skips .git and litter. All calls together visit a limited number of folders.
  void search(const std::string &path, const std::string &shown);

  std::size_t count() const noexcept { return count_; }
  // Returns "3 skills are passed over below folders whose names begin with a dot, such as
  // .claude/a".
  std::string words() const;

private:
  void countIn(const std::string &shown);

  std::size_t count_ = 0;
  std::size_t folders_ = 0; // number of visited folders
  std::string first_;       // first in order of bytes
};

} // namespace skillhost::beneath
