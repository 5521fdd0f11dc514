// SPDX-License-Identifier: Apache-2.0
// Looking into the roots and everything below them, with several threads when there is much.
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
  explicit Walk(ScanContext &context, FoldersSeen seen = {})
      : context_(context), seen_(std::move(seen)) {}

  // Every folder met, in no order; their pointers to one another stay valid. Roots that are
  // nullptr are left out. Throws what any visit threw first, all threads being joined.
  std::vector<std::unique_ptr<Folder>> run(const std::vector<std::shared_ptr<const Root>> &roots);
  // The same for `first` of these folders; those above them have been entered.
  std::vector<std::unique_ptr<Folder>> run(std::vector<std::unique_ptr<Folder>> folders,
                                           std::vector<Folder *> first);

private:
  enum class Part { leader, helper };

  void work(Part part);
  // `lock` is held at the beginning and at the end. `below`: folders that were met and are not
  // among the others yet.
  void workUntilDone(Part part, std::unique_lock<std::mutex> &lock,
                     std::vector<std::unique_ptr<Folder>> &below);
  // `begun`: folders so far, to be told; 0 for a helper, who tells nothing.
  void tell(std::size_t begun);
  void startHelpers();

  ScanContext &context_;
  const FoldersSeen seen_;
  std::size_t told_ = 0;             // folders, by seen_; the leader's
  std::vector<std::thread> helpers_; // the leader's
  std::mutex mutex_;                 // guards what follows
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Folder>> folders_;
  std::vector<Folder *> pending_;
  std::size_t active_ = 0; // threads that may still find more
  std::exception_ptr failure_;
};

} // namespace skillhost::filesystem
