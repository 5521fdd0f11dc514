// SPDX-License-Identifier: Apache-2.0
// The file of versions. One thread; throws DatabaseError.
#pragma once

#include "database/sqlite.hpp"
#include "settings.hpp"
#include "skill_version.hpp"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skillhost {

// A skill as it is from a moment on, or that it is gone.
struct VersionChange {
  std::string mark;  // of its source
  std::string skill; // its id
  bool isGone = false;
  // Whether the source has said that a file is another one. Else, as when a server starts, it is
  // the same version when SKILL.md, paths and sizes are: what a source calls a file may change when
  // its disk does.
  bool isTold = false;
  std::string digest; // of SKILL.md
  std::size_t bytes = 0, files = 0;
  std::string facts;
  std::string shape, identity; // digests of all files, without and with what the source calls them
  std::string list;            // of VersionedFile, as JSON
};

struct EntryText {
  std::string digest, text;
};

class VersionFile {
public:
  // For what room is looked for: texts are to leave some for versions.
  enum class Room : std::uint8_t { ForTexts, ForVersions };

  // Makes the file, and its folder, where there is none.
  explicit VersionFile(const VersionSettings &settings);

  // Before anything else; once it has come to its end it does nothing more.
  void prepare();
  // All of them in one transaction; what is there already, or finds no room, is left out. False
  // when one found no room.
  bool add(std::span<const EntryText> texts, std::int64_t now);
  // The same; what is known already changes nothing.
  bool add(std::span<const VersionChange> changes, std::int64_t now);
  // That the sources are followed, so that their histories stay.
  void touch(const std::vector<std::string> &marks, std::int64_t now);
  // The skills that are served, as far as the file knows: their shapes by their ids.
  std::unordered_map<std::string, std::string> served(const std::string &mark);
  // Removes what is too old, and of what is served no more as much as it takes until the file keeps
  // its bound; a few hundred versions at most. Whether there is more to remove.
  bool prune(std::int64_t now, Room room);
  bool isCrowded(Room room);
  // Removes texts that no version has, from before `oldest`.
  void removeUnusedTexts(std::int64_t oldest);

  std::vector<SkillVersion> list(const std::string &mark, const std::string &skill);
  std::optional<VersionContent> show(const std::string &mark, const std::string &skill,
                                     std::int64_t version);
  // Whether the path still leads to this file.
  bool isInPlace() const noexcept;

private:
  struct Removed {
    std::int64_t id;
    std::string digest;
  };
  void makeTables();
  bool write(const VersionChange &change, std::int64_t now);
  std::int64_t sourceOf(const std::string &mark, std::int64_t now);
  std::size_t remove(Statement &chosen);

  const VersionSettings settings_;
  Database database_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  bool prepared_ = false;
  std::int64_t pageBytes_ = 4'096;
};

inline constexpr std::int64_t versionsVersion = 1;

} // namespace skillhost
