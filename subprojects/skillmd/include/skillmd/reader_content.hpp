// SPDX-License-Identifier: Apache-2.0
// Renders a document for its reader, with paths that the reader can use.
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

// The files of one skill, for one rendering on one thread.
struct SkillFiles {
  SkillFiles() = default;
  SkillFiles(const SkillFiles &) = delete;
  SkillFiles &operator=(const SkillFiles &) = delete;
  virtual ~SkillFiles() = default;
  // `path` is relative to the skill, with `/`, and without `.` and `..`.
  virtual bool has(std::string_view path) const noexcept = 0;
  // Returns true if a file lies below `path`, which has the same form.
  virtual bool hasFolder(std::string_view path) const noexcept = 0;
  // Returns the only file whose path differs from `path` only in case; empty: none, or several.
  virtual std::string_view inOtherCase(std::string_view) const { return {}; }
};

// A path that a text names and that `files` lacks.
struct AbsentPath {
  std::string_view path; // a part of the document
  // True for the target of a link, or a path below ${CLAUDE_SKILL_DIR} and the like; false for a
  // mere word of text or code.
  bool link;
  // The folder that the text names before the path.
  FolderPrefix::Of below = FolderPrefix::Of::Nothing;
  bool fenced = false; // the path stands in fenced code
};

struct ReaderContext {
  PathStyle style = PathStyle::Absolute;
  std::string skillFolder; // absolute, or empty
  std::string skillUri;    // such as skill://source/pdf, without a slash at the end
  std::string projectRoot; // absolute, or empty
  // Returns true if the path, relative to projectRoot and without `.` and `..`, is a file of the
  // project. Called once for each path, and at most for 500. May be empty.
  std::function<bool(std::string_view)> projectHas;
  const SkillFiles &files;
  // Called for each path that stays as it is because nothing has it. May be empty.
  std::function<void(AbsentPath)> absent = {};
  SkillNames names = {}; // the names of the skill in a text
  // The document's folder in the skill; empty: the skill's own. Its files take precedence.
  std::string_view documentFolder = {};
};

// Returns the document with each relative path that names a file or folder of the skill made
// absolute or a URI, in text, links, code and commands alike, even in the wrong case if only one
// file fits. It also fills in ${CLAUDE_SKILL_DIR}, and resolves paths behind other words for the
// skill's folder (written_path.hpp). A path with a folder in it that names a file of the project
// becomes absolute, too, unless the skill has its first folder: the skill's own files take
// precedence. It never changes the front matter (everything before the byte `body`), URLs, anchors,
// absolute paths, paths that leave the skill or the project, bare words and the name SKILL.md in
// running text, and drawings of folders. Files of the project have no URI, so they stay relative
// unless the style is Absolute. A shell does not understand URIs either, so with URIs fenced code
// and commands stay as they are. Takes linear time. Throws only what projectHas and absent throw.
std::string renderForReader(std::string_view document, std::size_t body,
                            const ReaderContext &context);

// The placeholder for the folder of the skill. It stays where a shell could not use a URI.
inline constexpr std::string_view skillDirectory = "${CLAUDE_SKILL_DIR}";

// Returns the bytes of a file as UTF-8. Invalid UTF-8 is taken for Windows-1252, as in front
// matter.
std::string readableText(std::string bytes);

} // namespace skillhost
