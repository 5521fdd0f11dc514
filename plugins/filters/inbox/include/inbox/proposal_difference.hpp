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
  char kind = '+'; // '+' new, '-' gone, '~' changed
  // A unified diff of a changed text, a new text in the same form, or else a description of the
  // file.
  std::string text;
  std::size_t rest = 0; // bytes of the text that are left out
  std::size_t next = 0; // where they begin, if there are any
};

// Returns the files that differ, by path, with their whole texts.
std::vector<FileChange> changesOf(const Files &before, const Files &now);

// Cuts the texts so that all together have at most `room` bytes.
void cutTo(std::vector<FileChange> &changes, std::size_t room);
// Leaves out the first `offset` bytes of the text, and what is over `room` bytes.
void cutTo(FileChange &change, std::size_t offset, std::size_t room);

// Returns "new file a.md", "removed file a.md" or "changed file a.md".
std::string titleOf(const FileChange &change);

} // namespace skillhost::inbox
