// SPDX-License-Identifier: Apache-2.0
// A source restricted to its lock. Everything from the source passes through here, except what is
// not locked.
#pragma once

#include "ground/guarded.hpp"
#include "lock/skills_lock.hpp"
#include "plugin/source.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace skillhost {

// Its lists contain only skills that equal the lock byte by byte, and say for each other skill why
// it is refused. A read returns bytes with the locked digest or fails.
class LockedSource final : public Source, public std::enable_shared_from_this<LockedSource> {
public:
  // `file` is the name of the lock's file without its folder, for messages that readers see.
  LockedSource(std::shared_ptr<Source> source, SourceLock lock, std::string file);

  const std::string &name() const noexcept override { return source_->name(); }
  void onChanged(std::function<void()> listener) override;
  void stop() override { source_->stop(); }
  bool supportsPinning() const noexcept override { return source_->supportsPinning(); }
  bool isFilter() const noexcept override { return true; }
  void list(CallOptions options, ResultCallback<Snapshot> answer) override;
  // Fails with Stale if anything changed, because a skill is judged as a whole.
  void changes(CallOptions options, std::string since, ResultCallback<Changes> answer) override;
  void read(CallOptions options, Document document, std::size_t limit,
            ResultCallback<std::string> answer) override;
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override;

private:
  using Place = std::pair<std::string, std::string>; // skill, path
  struct Judgement;

  void compareWithLock(const CallOptions &options, Snapshot snapshot,
                       const ResultCallback<Snapshot> &answer);
  void finishListing(Judgement &judgement);
  // Returns why these bytes are not the locked document; empty if they are.
  std::string mismatch(const Document &document, const LockedDocument &found) const;
  Result<std::string> checked(const Document &document, Result<std::string> bytes);
  bool isVerified(const Document &document) const;

  const std::shared_ptr<Source> source_;
  const SourceLock lock_;
  const std::string file_;
  Guarded<std::function<void()>> listener_;
  // Revision of each document whose bytes were found correct.
  Guarded<std::map<Place, std::string>> verified_;
  std::atomic<bool> mustCompareAgain_{false}; // bytes differed from the lock since the last listing
  std::atomic<bool> hasMismatched_{false};    // bytes differed from the lock at any time
};

} // namespace skillhost
