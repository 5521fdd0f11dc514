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

// A change of a skill at one moment: its new content, or its removal.
struct VersionChange {
  std::string mark;  // of its source
  std::string skill; // its id
  bool isGone = false;
  // True if the source has reported that a file changed. Otherwise, for example when a server
  // starts, the version is the same if SKILL.md, the paths and the sizes are: the revisions that a
  // source gives its files may change with its disk.
  bool isTold = false;
  std::string digest; // of SKILL.md
  std::size_t bytes = 0, files = 0;
  std::string facts;
  std::string shape, identity; // digests of all files, without and with the source's revisions
  std::string list;            // the VersionedFile entries as JSON
};

struct EntryText {
  std::string digest, text;
};

class VersionFile {
public:
  // The purpose of the room that is checked: texts have to leave some for versions.
  enum class Room : std::uint8_t { ForTexts, ForVersions };

  // Creates the file and its folder if they do not exist.
  explicit VersionFile(const VersionSettings &settings);

  // Call it before anything else; after it has succeeded once it does nothing.
  void prepare();
  // Adds all texts in one transaction, except those that exist already or have no room. Returns
  // false if one had no room.
  bool add(std::span<const EntryText> texts, std::int64_t now);
  // Does the same with changes. A version that is known already changes nothing.
  bool add(std::span<const VersionChange> changes, std::int64_t now);
  // Marks the sources as followed, so that their histories stay.
  void touch(const std::vector<std::string> &marks, std::int64_t now);
  // Returns the served skills that the file knows: their shapes by their ids.
  std::unordered_map<std::string, std::string> served(const std::string &mark);
  // Removes versions that are too old, and of those that are no longer served as many as needed
  // until the file is within its limit; at most a few hundred. Returns true if there is more to
  // remove.
  bool prune(std::int64_t now, Room room);
  bool isCrowded(Room room);
  // Removes texts without a version from before `oldest`.
  void removeUnusedTexts(std::int64_t oldest);

  std::vector<SkillVersion> list(const std::string &mark, const std::string &skill);
  std::optional<VersionContent> show(const std::string &mark, const std::string &skill,
                                     std::int64_t version);
  // Returns true if the path still leads to this file.
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
