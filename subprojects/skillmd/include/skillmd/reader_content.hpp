// SPDX-License-Identifier: Apache-2.0
// A document as its reader needs it: with paths the reader can use from wherever it is.
#pragma once

#include "skillmd/written_path.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

// Absolute needs a skill folder on the reader's machine; without one, URIs are written.
enum class PathStyle : std::uint8_t { Absolute, Uri, Untouched };

// The files of one skill, for one rendering: one thread.
struct SkillFiles {
  SkillFiles() = default;
  SkillFiles(const SkillFiles &) = delete;
  SkillFiles &operator=(const SkillFiles &) = delete;
  virtual ~SkillFiles() = default;
  // `path` is relative to the skill, with `/`, without `.` and `..`.
  virtual bool has(std::string_view path) const noexcept = 0;
  // Whether there is a file below `path`, which is spelled the same way.
  virtual bool hasFolder(std::string_view path) const noexcept = 0;
  // The only file whose path is `path` but for the case of letters; empty: none, or several.
  virtual std::string_view inOtherCase(std::string_view) const { return {}; }
};

// A path that a text names and `files` does not have.
struct AbsentPath {
  std::string_view path; // in the document
  // The target of a link, or below ${CLAUDE_SKILL_DIR} and its like: no mere word of text or code.
  bool link;
  // The text names this folder before the path.
  FolderPrefix::Of below = FolderPrefix::Of::Nothing;
  bool fenced = false; // the path stands in fenced code
};

struct ReaderContext {
  PathStyle style = PathStyle::Absolute;
  std::string skillFolder; // absolute, or empty
  std::string skillUri;    // such as skill://source/pdf, without a slash at the end
  std::string projectRoot; // absolute, or empty
  // Whether that is a file (no folder) of the project; the path is relative to projectRoot, without
  // `.` and `..`. Asked once for each path, and for 500 at most. May be empty.
  std::function<bool(std::string_view)> projectHas;
  const SkillFiles &files;
  // Told of each path that is left as it is because nothing has it. May be empty.
  std::function<void(AbsentPath)> absent = {};
  SkillNames names = {}; // how a text may call the skill
  // The folder of the document in the skill; empty: the skill's own. Its files are meant first.
  std::string_view documentFolder = {};
};

// The document with each relative path that names a file or folder of the skill made absolute or a
// URI, in text, links, code and commands alike, also where the case of its letters is wrong and
// only one file fits; with ${CLAUDE_SKILL_DIR} filled in, and paths
// behind other words for the skill's folder (written_path.hpp) resolved. A path with
// a folder in it that names a file of the project becomes absolute, too, unless its first folder is
// one that the skill has: the skill's own always win. Never changed: what stands before the byte
// `body`, which is the front matter as the skill was read, URLs, anchors, absolute paths, paths
// that leave the skill or the project, bare words and the name SKILL.md in running text, drawings
// of folders. Files of the project have no URI: they stay relative unless the style is Absolute.
// Nor does a shell know URIs: with them fenced code and commands stay as they are. Linear time.
// Throws only what projectHas and absent throw.
std::string renderForReader(std::string_view document, std::size_t body,
                            const ReaderContext &context);

// How a text names the folder of its skill; it stays so where a shell could do nothing with a URI.
inline constexpr std::string_view skillDirectory = "${CLAUDE_SKILL_DIR}";

// The bytes of a file as UTF-8: as they are where they are UTF-8, else as front matter is read,
// with what is no UTF-8 taken for Windows-1252.
std::string readableText(std::string bytes);

} // namespace skillhost
