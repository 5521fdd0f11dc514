// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include <algorithm>
#include <iterator>

namespace skillhost::filesystem {
namespace {

// Starting a thread costs about as much as visiting eight folders.
constexpr std::size_t worthHelpers = 48;
constexpr std::size_t maxBatch = 16;
constexpr std::size_t betweenTellings = 100; // folders

} // namespace

std::vector<std::unique_ptr<Folder>>
Walk::run(const std::vector<std::shared_ptr<const Root>> &roots) {
  std::vector<std::unique_ptr<Folder>> folders;
  std::vector<Folder *> first;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (!roots[i]) continue;
    auto folder = std::make_unique<Folder>();
    folder->root = roots[i].get();
    folder->rootIndex = i;
    first.push_back(folder.get());
    folders.push_back(std::move(folder));
  }
  return run(std::move(folders), std::move(first));
}

std::vector<std::unique_ptr<Folder>> Walk::run(std::vector<std::unique_ptr<Folder>> folders,
                                               std::vector<Folder *> first) {
  folders_ = std::move(folders);
  pending_ = std::move(first);
  work(Part::leader);
  for (std::thread &helper : helpers_) helper.join();
  if (failure_) std::rethrow_exception(failure_);
  return std::move(folders_);
}

// Runs on the leader's thread and on each helper's. It must not throw: in the leader that would
// leave the helpers unjoined, and in a helper it would end the process. The first failure is the
// failure of the whole walk.
void Walk::work(Part part) {
  std::vector<std::unique_ptr<Folder>> below; // freed only after the others know of a failure
  std::unique_lock lock(mutex_);
  try {
    workUntilDone(part, lock, below);
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    if (!failure_) failure_ = std::current_exception();
    changed_.notify_all();
  }
}

void Walk::workUntilDone(Part part, std::unique_lock<std::mutex> &lock,
                         std::vector<std::unique_ptr<Folder>> &below) {
  std::vector<Folder *> batch;
  while (true) {
    changed_.wait(lock, [&] { return failure_ || !pending_.empty() || active_ == 0; });
    if (failure_ || pending_.empty()) break;
    if (part == Part::leader && helpers_.empty() && pending_.size() >= worthHelpers) startHelpers();
    const std::size_t share = pending_.size() / (2 * context_.settings.threads);
    const std::size_t size = std::clamp<std::size_t>(share, 1, maxBatch);
    batch.assign(pending_.end() - static_cast<std::ptrdiff_t>(size), pending_.end());
    pending_.resize(pending_.size() - size);
    ++active_;
    const std::size_t begun = folders_.size() - pending_.size();
    lock.unlock();
    reportProgress(part == Part::leader ? begun : 0);
    for (Folder *folder : batch) FolderVisit(context_, *folder).visit(below);
    lock.lock();
    --active_;
    std::transform(below.begin(), below.end(), std::back_inserter(pending_),
                   [](const std::unique_ptr<Folder> &folder) { return folder.get(); });
    std::move(below.begin(), below.end(), std::back_inserter(folders_));
    below.clear();
    if (!helpers_.empty()) changed_.notify_all();
  }
}

// Only the leader calls this, because only the leader is sure to run on the caller's thread.
void Walk::reportProgress(std::size_t begun) {
  if (!onProgress_ || begun == 0 || begun < reportedFolders_ + betweenTellings) return;
  reportedFolders_ = begun;
  onProgress_(begun);
}

void Walk::startHelpers() {
  try {
    while (helpers_.size() + 1 < context_.settings.threads) {
      helpers_.emplace_back([this] { work(Part::helper); });
    }
  } catch (const std::exception &) {
    // No thread or memory is available, so the existing threads do the work.
  }
}

} // namespace skillhost::filesystem
