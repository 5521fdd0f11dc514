// SPDX-License-Identifier: Apache-2.0
// A skill, as its documents describe it. Immutable after construction, except for its manifest. All
// catalogues that contain the skill share it.
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

// Decides which skill gets a name that several skills claim. First: the one that wins by
// claimsBefore(). Strict: none of them, so that no author can take a name from another.
enum class NameRule : std::uint8_t { First, Strict };

// The entry's name in every URI.
inline constexpr std::string_view entryName = "SKILL.md";

// The manifest of a skill's files, or the callers that wait until it is known; see manifest.hpp.
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
  std::string facts;       // JSON object that the source states about this skill, or empty
  std::string notice;      // a line of the server for the agent that loads it; may be empty
  std::string contentKey;  // changes whenever the rendered SKILL.md may change
  Documents files;         // all files, with SKILL.md and those of nested skills, sorted by path
  std::size_t entryAt = 0; // the index of SKILL.md in `files`
  std::vector<std::string> filePaths; // relative to this skill, in the order of `files`
  std::size_t entryBytes = 0;
  std::string entryDigest;         // of SKILL.md; changes with any of its bytes
  std::string searchRevision;      // of its searched texts, see search_texts.hpp
  std::size_t bodyOffset = 0;      // where the text after the front matter begins in SKILL.md
  std::size_t estimatedTokens = 0; // bytes / 4: an estimate
  bool keepsRules = false;  // keeps the rules of the skills extension, except for its size limits
  bool byExtension = false; // keeps the rules of the skills extension, with its size limits
  // True if a filter decides whether the skill is served. Its text then names no path of this
  // machine except those of its copy.
  bool isFiltered = false;
  std::vector<Finding> findings;
  // Computed when it is first needed, see manifest.hpp. It is the only member that changes.
  mutable Guarded<ManifestState> manifest;

  // Returns the SKILL.md.
  const Document &entry() const noexcept;
  // Returns the path under which the file is announced. For the entry it is SKILL.md, whatever the
  // case of its letters, because clients of the skills extension know it by that name.
  std::string_view announcedPath(std::size_t file) const noexcept;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  // Finds a file by the path it has or is announced under. Returns an index into `files`, or npos.
  std::size_t fileAt(std::string_view path) const noexcept;
  // True if a file lies below `path`, which has no slash at its end.
  bool hasFolder(std::string_view path) const noexcept;
};

// Returns the names by which the text may mention the skill: that of its folder, and its own.
SkillNames namesOf(const Skill &skill) noexcept;
// Returns the files of the skill with their places. Valid as long as the skill.
PlacedFiles placedFilesOf(const Skill &skill) noexcept;

// Returns a key for the rendered text. That text names the skill's files and describes its scripts,
// so the key changes with any of them.
std::string contentKeyOf(const Skill &skill);

} // namespace skillhost
