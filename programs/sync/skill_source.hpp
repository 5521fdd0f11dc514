// SPDX-License-Identifier: Apache-2.0
// The skills that are to be in the folders of agents, wherever they come from.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::sync {

// A file of a skill as sync compares it.
struct FileState {
  std::string digest; // SHA-256 in hexadecimal digits
  // Nothing if it is not known: the skills extension of MCP does not say which files are programs.
  std::optional<bool> executable;
  std::uint64_t size = 0;
};
using FileStates = std::map<std::string, FileState>; // by the path below the skill's folder

struct OfferedSkill {
  std::string name; // also that of its folder
  FileStates files;
  std::string folder{}; // absolute path, if the source reads it from a folder of this machine
  // The reason why it must not be written, if that is known before its files are read.
  std::string refusal{};
  std::string uri{}; // of its folder at the source; empty if it is not known
};

// Says that the skill's SKILL.md has this other name.
std::string otherNameWords(std::string_view written);

// A skill, or a part of the source, that cannot be read, with the reason.
struct LeftOut {
  std::string name, why;
  // The URI of the skill's folder at the source; empty if it is not known. One that ends with a
  // slash stands for any folder in it.
  std::string uri{};

  // True if this may be the skill that has been written from this URI under this name.
  bool mayBe(const std::string &name, const std::string &uri) const;
};

struct Offer {
  std::vector<OfferedSkill> skills; // sorted by their names, each of which occurs once
  std::vector<LeftOut> leftOut;
  // The reason why further skills may exist: a source failed or is still loading. A skill that is
  // not offered must not be removed then. Empty: the offer is complete.
  std::string whyIncomplete;
};

using FileBytes = std::map<std::string, std::string>; // by the path below the skill's folder

// Used by one thread. Its functions throw std::runtime_error with the reason.
class SkillSource {
public:
  SkillSource() = default;
  virtual ~SkillSource() = default;
  SkillSource(const SkillSource &) = delete;
  SkillSource &operator=(const SkillSource &) = delete;

  // The name under which the manifest of that folder keeps the skills of this source.
  virtual std::string origin(const std::string &folder) const = 0;
  // Asks the source for what it has now.
  virtual Offer offer() = 0;
  // Reads all files of a skill of the last offer. The caller checks their digests.
  virtual FileBytes read(const OfferedSkill &skill) = 0;
  // Returns when something may have changed since the last offer, at the latest after that time.
  virtual void awaitChange(std::chrono::milliseconds atMost) = 0;
};

// Collects skills of a stranger into an offer, and leaves out those that no folder can hold, with
// the reason: a name that agents refuse or that an earlier skill has, an unsafe path, paths that
// are one file on some file systems, no SKILL.md, more than 2,000 files or 256 MiB. Files that are
// litter or secret by their names are passed over.
class OfferMaker {
public:
  // Returns false if the skill is left out.
  bool add(OfferedSkill skill);
  void leaveOut(std::string name, std::string why, std::string uri = {});
  // Leaves out a skill whose name is not known. It may be any skill that was offered before, so the
  // offer is incomplete. `shown` says for people which one is meant; it may be empty.
  void leaveOutUnnamed(std::string shown, std::string why);
  // Leaves out a skill of which only the folder is known, by its name and its URI. Without the URI,
  // a folder whose name agents take has that of its skill.
  void leaveOutDamaged(const std::string &folder, std::string why, std::string uri);
  // An offer without skills counts as incomplete, because a fault is its likely reason.
  Offer finish() &&;

private:
  std::map<std::string, OfferedSkill> byName_;
  Offer offer_;
  std::set<std::string>
      known_; // what is left out, because each page of a server's list may name it
};

} // namespace skillhost::sync
