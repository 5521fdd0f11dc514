// SPDX-License-Identifier: Apache-2.0
// Visits the roots and everything below them, with several threads if there is much.
#pragma once

#include "checkpoint.hpp"
#include "folder_visit.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace skillhost::filesystem {

class Walk {
public:
  explicit Walk(ScanContext &context, FolderProgress onProgress = {})
      : context_(context), onProgress_(std::move(onProgress)) {}

  // Returns every folder found, in no fixed order; their pointers to one another stay valid. Skips
  // roots that are nullptr. Joins all threads and then throws the first exception of a visit.
  std::vector<std::unique_ptr<Folder>> run(const std::vector<std::shared_ptr<const Root>> &roots);
  // Does the same for `first` of these folders. The folders above them must have been entered.
  std::vector<std::unique_ptr<Folder>> run(std::vector<std::unique_ptr<Folder>> folders,
                                           std::vector<Folder *> first);

private:
  enum class Part { leader, helper };

  void work(Part part);
  // `lock` is held at the beginning and at the end. `below`: folders found that are not in folders_
  // yet.
  void workUntilDone(Part part, std::unique_lock<std::mutex> &lock,
                     std::vector<std::unique_ptr<Folder>> &below);
  // `begun`: number of folders so far, to be reported; 0 for a helper, which reports nothing.
  void reportProgress(std::size_t begun);
  void startHelpers();

  ScanContext &context_;
  const FolderProgress onProgress_;
  std::size_t reportedFolders_ = 0;  // folders reported to onProgress_; only for the leader
  std::vector<std::thread> helpers_; // only for the leader
  std::mutex mutex_;                 // guards the members below
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Folder>> folders_;
  std::vector<Folder *> pending_;
  std::size_t active_ = 0; // threads that may still find more
  std::exception_ptr failure_;
};

} // namespace skillhost::filesystem
