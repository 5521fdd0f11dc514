// SPDX-License-Identifier: Apache-2.0
// A skill beside what was decided on, file by file, with as much of each text as is asked for. What
// it takes is bounded by the bytes of one file and the room for text, whatever the file holds.
#pragma once

#include "document_digests.hpp"
#include "review/kept_files.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

// Of texts that are compared line by line: longer ones are shown as they are now.
inline constexpr std::size_t largestCompared = 1U << 20U, mostComparedLines = 20'000;

// One file of a skill beside what was decided on.
struct FileDifference {
  std::string path;
  char kind = '=';                           // '+' new, '-' gone, '~' changed
  std::optional<LockedDocument> before, now; // none where it is not there
  // Of a changed text a unified diff, of a new one all of it in the same form; else what is known.
  std::string text;
  std::optional<std::size_t> next; // where the rest of the text begins; none: there is no more
  std::size_t rest = 0;            // bytes; of a file that was not read, those of the file
};

// What differs, by path, without texts.
std::vector<FileDifference> changedFiles(const LockedSkill &before, const LockedSkill &now);
// Whether its text is made of the file's bytes.
bool needsBytes(const FileDifference &file) noexcept;
// At most `most` bytes of its text, from `offset` on. `bytes`: the file as it is now; null when
// needsBytes() says that they are not needed.
void addText(FileDifference &file, const std::string *bytes, const KeptFiles &kept,
             std::size_t offset, std::size_t most);
// Instead of a text that there is no room for.
void leaveOut(FileDifference &file);

} // namespace skillhost
