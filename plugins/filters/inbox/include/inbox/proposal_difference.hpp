// SPDX-License-Identifier: Apache-2.0
// Shows the difference between a proposal and what it is compared with.
#pragma once

#include "inbox/proposal.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost::inbox {

// Describes a file that differs.
struct FileChange {
  std::string path;
  char kind = '+';     // '+' new, '-' gone, '~' changed
  bool isShown = true; // false: the file is gone, or is no text
  std::string remark;  // one line about the file, such as its size; may be empty
  // A unified diff. That of a new text, and of one that cannot be compared, adds each line.
  std::string text;
  bool wasExecutable = false, isExecutable = false;
  std::size_t rest = 0; // bytes of the text that are left out
  std::size_t next = 0; // where they begin, if there are any
};

// Returns the files that differ, by path, with their whole texts.
std::vector<FileChange> changesOf(const Files &before, const Files &now);

// Cuts the texts so that all together have at most `room` bytes.
void cutTo(std::vector<FileChange> &changes, std::size_t room);
// Leaves out the first `offset` bytes of the text, and what is over `room` bytes.
void cutTo(FileChange &change, std::size_t offset, std::size_t room);

// Returns path, change ("new", "gone" or "changed"), shown, remark and text. A new file also has
// executable, and a changed one has it, with from and to, if that has changed. If the text is cut,
// rest and next_offset say how it goes on.
Json fileJson(const FileChange &change);

// Returns "new file a.md", "removed file a.md" or "changed file a.md", and the remark in brackets.
std::string titleOf(const FileChange &change);

} // namespace skillhost::inbox
