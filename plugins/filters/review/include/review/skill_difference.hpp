// SPDX-License-Identifier: Apache-2.0
// Compares a skill with the content that was decided on, file by file, with as much of each text as
// requested. The memory that it takes is limited by the bytes of one file and the room for text.
#pragma once

#include "document_digests.hpp"
#include "review/kept_files.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

// Limits of texts that are compared line by line. A longer text is shown as it is now.
inline constexpr std::size_t maxComparedBytes = 1U << 20U, maxComparedLines = 20'000;

// One file of a skill compared with the content that was decided on.
struct FileDifference {
  std::string path;
  char kind = '=';                           // '+' new, '-' gone, '~' changed
  std::optional<LockedDocument> before, now; // none if the file does not exist there
  // A unified diff of a changed text, all of a new text in the same form, or else a description of
  // the file.
  std::string text;
  std::optional<std::size_t> next; // offset of the rest of the text; none if there is no more
  std::size_t rest = 0;            // bytes of the rest; the size of the file if it was not read
};

// Returns the files that differ, by path, without texts.
std::vector<FileDifference> changedFiles(const LockedSkill &before, const LockedSkill &now);
// Returns true if the file's bytes are needed to make its text.
bool needsBytes(const FileDifference &file) noexcept;
// Sets at most `maxBytes` bytes of its text, from `offset` on. `bytes` is the file as it is now;
// null if needsBytes() returns false.
void addText(FileDifference &file, const std::string *bytes, const KeptFiles &kept,
             std::size_t offset, std::size_t maxBytes);
// Marks a file whose text has no room.
void leaveOut(FileDifference &file);

} // namespace skillhost
