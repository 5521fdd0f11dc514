// SPDX-License-Identifier: Apache-2.0
// A document as its reader needs it: with paths the reader can use from wherever it is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

// Absolute needs a skill folder on the reader's machine; without one, URIs are written.
enum class PathStyle : std::uint8_t { Absolute, Uri, Untouched };

// The files of one skill. Any thread.
struct SkillFiles {
  SkillFiles() = default;
  SkillFiles(const SkillFiles &) = delete;
  SkillFiles &operator=(const SkillFiles &) = delete;
  virtual ~SkillFiles() = default;
  // `path` is relative to the skill, with `/`, without `.` and `..`.
  virtual bool has(std::string_view path) const noexcept = 0;
};

struct ReaderContext {
  PathStyle style = PathStyle::Absolute;
  std::string skillFolder; // absolute, or empty
  std::string skillUri;    // such as skill://source/pdf, without a slash at the end
  std::string projectRoot; // absolute, or empty
  // Whether a file is in the project; the path is relative to projectRoot, without `.` and `..`.
  // Asked once for each path. May be empty.
  std::function<bool(std::string_view)> projectHas;
  const SkillFiles &files;
};

// The document with each relative path that names a file of the skill, or else of the project,
// made absolute or a URI, in text, links, code and commands alike; and with ${CLAUDE_SKILL_DIR}
// filled in. Never changed: the front matter, URLs, anchors, absolute paths, paths that leave the
// skill or the project, the word SKILL.md in running text. Files of the project have no URI: they
// stay relative unless the style is Absolute. Linear time. Throws only what projectHas throws.
std::string renderForReader(std::string_view document, const ReaderContext &context);

// The body of a prompt with every $ARGUMENTS replaced; arguments for which there is no place are
// put at the end.
std::string fillArguments(std::string_view body, std::string_view arguments);

} // namespace skillhost
