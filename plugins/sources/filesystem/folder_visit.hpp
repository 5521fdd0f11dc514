// SPDX-License-Identifier: Apache-2.0
// Looking into one folder.
#pragma once

#include "checkpoint.hpp"
#include "directory_entries.hpp"
#include "folder.hpp"

#include <memory>

namespace skillhost::filesystem {

// What the visits of one scan share; any of its threads.
struct ScanContext {
  const Settings &settings;
  Watches &watches;
  Warnings &warnings;
  const Checkpoint &checkpoint;
  std::int64_t start; // on wallClock(), before anything was looked at
  std::atomic<std::size_t> files = 0, folders = 0;
};

class FolderVisit {
public:
  // Both must outlive the visit.
  FolderVisit(ScanContext &context, Folder &folder) : context_(context), folder_(folder) {}

  // Fills the folder in and appends the folders below it. What cannot be read is skipped with a
  // warning. Throws what the checkpoint throws, and skh::Error(SKH_TOO_LARGE) over max_files.
  void run(std::vector<std::unique_ptr<Folder>> &below);
  // Only what is to be known of it for a look into folders below; it is in no skill. False with a
  // warning when it cannot be opened.
  bool enter();

private:
  struct Candidate {
    std::string name;
    struct stat status;
    bool linked;
    bool examined;      // status is filled in
    std::string real{}; // of a link, see FoundFile
  };

  bool open();
  bool loops() const;
  bool mayHoldDocuments(const Folder &child);
  std::string_view withinSkill(std::string_view real) const;
  void sort(std::vector<DirectoryEntry> &entries, std::vector<std::unique_ptr<Folder>> &below);
  void follow(std::string &&name, std::vector<std::unique_ptr<Folder>> &below);
  Folder *descend(const std::string &name, bool linked,
                  std::vector<std::unique_ptr<Folder>> &below);
  void tellOfLinkTexts();
  void followOutside(const std::string &name, std::vector<std::unique_ptr<Folder>> &below);
  void chooseEntry();
  bool wanted(const std::string &name) const;
  bool isDocument(const Candidate &candidate);
  bool examineStatus(Candidate &candidate) const;
  bool fits(const Candidate &candidate);
  void addFile(Candidate &candidate);
  void warn(std::string_view name, const std::string &reason);

  ScanContext &context_;
  Folder &folder_;
  Descriptor descriptor_;
  std::vector<Candidate> candidates_; // regular files
  std::vector<std::string> outside_;  // links that lead out of the directory, at its top
};

} // namespace skillhost::filesystem
