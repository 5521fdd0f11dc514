// SPDX-License-Identifier: Apache-2.0
// Visits one folder.
#pragma once

#include "checkpoint.hpp"
#include "directory_entries.hpp"
#include "folder.hpp"

#include <memory>

namespace skillhost::filesystem {

// Shared by all visits of one scan. Any of its threads may use it.
struct ScanContext {
  const Settings &settings;
  Watches &watches;
  Warnings &warnings;
  const Checkpoint &checkpoint;
  std::int64_t start; // wallClock() before anything was visited
  std::atomic<std::size_t> files = 0, folders = 0;
};

class FolderVisit {
public:
  // Both arguments must outlive the visit.
  FolderVisit(ScanContext &context, Folder &folder) : context_(context), folder_(folder) {}

  // Fills in the folder and appends its child folders. Unreadable parts are skipped with a warning.
  // Throws what the checkpoint throws, and skh::Error(SKH_TOO_LARGE) above max_files.
  void visit(std::vector<std::unique_ptr<Folder>> &children);
  // Only sets what visits of child folders need. The folder must not be in a skill. Returns false
  // with a warning if it cannot be opened.
  bool openFolder();

private:
  struct Candidate {
    std::string name;
    struct stat status;
    bool linked;
    bool examined;      // status is set
    std::string real{}; // only for a link, see FoundFile
  };

  bool open();
  bool isLinkLoop() const;
  bool mayHoldDocuments(const Folder &child);
  std::string_view withinSkill(std::string_view real) const;
  void sortEntries(std::vector<DirectoryEntry> &entries,
                   std::vector<std::unique_ptr<Folder>> &children);
  void followLink(std::string &&name, std::vector<std::unique_ptr<Folder>> &children);
  Folder *addChildFolder(const std::string &name, bool linked,
                         std::vector<std::unique_ptr<Folder>> &children);
  void warnOfLinkTexts();
  void followOutside(const std::string &name, std::vector<std::unique_ptr<Folder>> &children);
  void chooseEntry();
  bool isSelected(const std::string &name) const;
  bool isDocument(const Candidate &candidate);
  bool examineStatus(Candidate &candidate) const;
  bool isSmallEnough(const Candidate &candidate);
  void addFile(Candidate &candidate);
  void warn(std::string_view name, const std::string &reason);

  ScanContext &context_;
  Folder &folder_;
  Descriptor descriptor_;
  std::vector<Candidate> candidates_;     // regular files
  std::string brokenEntry_;               // a SKILL.md that is a link to nothing; usually empty
  std::vector<std::string> outsideLinks_; // links at the top that lead out of the directory
};

} // namespace skillhost::filesystem
