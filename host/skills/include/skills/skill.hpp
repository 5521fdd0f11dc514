// SPDX-License-Identifier: Apache-2.0
// One skill as its documents tell it. Immutable once built; shared by every catalogue it appears
// in.
#pragma once

#include "ground/guarded.hpp"
#include "ground/result.hpp"
#include "plugin/documents.hpp"
#include "skillmd/assessment.hpp"
#include "skillmd/placed_files.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

struct FileDigest;

// Who has a name that several skills claim. First: the one that comes before the others, see
// claimsBefore(). Strict: none of them, so that nobody can take it.
enum class NameRule : std::uint8_t { First, Strict };

// The entry's name in every URI.
inline constexpr std::string_view entryName = "SKILL.md";

// What the files of a skill are, or who waits until that has been found out; see manifest.hpp.
struct ManifestState {
  using Pointer = std::shared_ptr<const std::vector<FileDigest>>;
  Pointer known;
  bool computing = false;
  std::vector<std::function<void(const Result<Pointer> &)>> waiting; // while computing
};

struct Skill {
  std::string id;     // "<source>/<path>", unique in the host
  std::string source; // the instance's name
  std::string path;   // the source's own name for the folder, "team/pdf"
  std::string uri;    // "skill://<source>/<path…>/<name>", no trailing slash, percent-encoded
  std::string folder; // absolute path that readers on this machine may use, or empty
  SkillFields fields;
  std::string facts;       // that the source states of it alone: a JSON object's text, or empty
  std::string notice;      // a line for the agent that loads it, of the server; may be empty
  std::string contentKey;  // another one whenever the rendered SKILL.md may be
  Documents files;         // all of them, SKILL.md and nested skills' included, sorted by path
  std::size_t entryAt = 0; // SKILL.md among them
  std::vector<std::string> filePaths; // relative to this skill, in step with `files`
  std::size_t entryBytes = 0;
  std::string entryDigest;         // of SKILL.md: another one whenever its bytes are
  std::string searchRevision;      // of what is searched of it, see search_texts.hpp
  std::size_t bodyOffset = 0;      // where the text after the front matter begins in SKILL.md
  std::size_t estimatedTokens = 0; // bytes / 4: an estimate
  bool keepsRules = false;         // those of the skills extension, but for how much it may have
  bool byExtension = false;        // keeps all of them
  // Rules or a lock decided on it: its text is told no path of this machine but those of its copy.
  bool isFiltered = false;
  std::vector<Finding> findings;
  // Filled in when first asked for, see manifest.hpp; the one thing that changes.
  mutable Guarded<ManifestState> manifest;

  // SKILL.md.
  const Document &entry() const noexcept;
  // Index into `files`, or npos.
  // The file is announced under this path: the entry as SKILL.md, whatever the case of its letters,
  // since that is how the skills extension's clients know it.
  std::string_view announcedPath(std::size_t file) const noexcept;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  // By the path it has, or is announced under.
  std::size_t fileAt(std::string_view path) const noexcept;
  // Whether a file lies below `path`, which has no slash at its end.
  bool hasFolder(std::string_view path) const noexcept;
};

// The names by which its text may mention the skill: that of its folder, and its own.
SkillNames namesOf(const Skill &skill) noexcept;
// Valid as long as the skill.
PlacedFiles placedFilesOf(const Skill &skill) noexcept;

// What is rendered names the skill's files and tells of its scripts, so it is another text, and
// this another key, when they are others.
std::string contentKeyOf(const Skill &skill);

} // namespace skillhost
