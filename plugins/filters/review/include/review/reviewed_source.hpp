// SPDX-License-Identifier: Apache-2.0
// A source as the rules of trust allow it: everything that comes from it passes here, and what is
// withheld does not. So no list, search, file or count can forget to leave it out.
#pragma once

#include "ground/guarded.hpp"
#include "plugin/source.hpp"
#include "review/examination.hpp"
#include "review/trust.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

// What has been decided, as all sources of a host see it.
struct Decided {
  std::shared_ptr<const Approvals> approvals = std::make_shared<const Approvals>();
  std::string unknown; // why it cannot be known; empty: it is
};
using Decisions = Guarded<Decided>;

// How one skill stands.
struct Review {
  std::string id, source, path; // the id is "<source>/<path>"
  std::string name;             // what its SKILL.md calls it; may be empty
  Judgement judgement;
  Examined examined;
  LockedSkill files; // empty: not all of them can be read
  std::vector<Finding> findings;
  std::string folder; // on this machine; empty: it lies elsewhere
};
using ReviewPointer = std::shared_ptr<const Review>;

// Of a source: how many of its skills stand how.
struct ReviewCounts {
  std::array<std::size_t, reviewStates> states{}; // by ReviewState
  std::size_t withheld = 0;
  std::size_t waiting = 0; // withheld or warned of, and not because somebody has rejected them
};

// What of a skill is to be read, and how much of it is to be kept in memory.
struct ContentRequest {
  std::string path;                           // of the skill
  std::optional<std::set<std::string>> files; // these alone; none: all
  std::size_t largest = std::string::npos;    // bytes of one file
  std::size_t most = std::string::npos;       // bytes of all files together
};
// One file as it is now.
struct ReadDocument {
  LockedDocument facts;
  std::optional<std::string> bytes; // none: it is larger than was to be kept
};
using SkillContent = std::map<std::string, ReadDocument>; // by path

class ReviewedSource final : public Source, public std::enable_shared_from_this<ReviewedSource> {
public:
  // `rules`: those for this source, not empty. `reviewed`: called when reviews() are others than
  // before, on the thread that has listed it; may be empty.
  ReviewedSource(std::shared_ptr<Source> source, std::vector<TrustRule> rules,
                 std::shared_ptr<const Decisions> decisions, std::function<void()> reviewed = {});

  const std::string &name() const noexcept override { return source_->name(); }
  void onChanged(std::function<void()> listener) override;
  void stop() override { source_->stop(); }
  bool goesBack() const noexcept override { return source_->goesBack(); }
  bool isFilter() const noexcept override { return true; }
  bool absent() const noexcept override { return source_->absent(); }
  void list(CallOptions options, Answer<Snapshot> answer) override;
  // Stale when anything changed, be it what was decided: a skill is judged as a whole.
  void changes(CallOptions options, std::string since, Answer<Changes> answer) override;
  // Stale for what is not served, and for other bytes than were judged.
  void read(CallOptions options, Document document, std::size_t limit,
            Answer<std::string> answer) override;
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override;

  // Something else was decided, or has expired: all skills are judged with the next list. Any
  // thread.
  void decisionsChanged();
  // Every skill it was listed with, served or not, by id.
  std::map<std::string, ReviewPointer> reviews() const { return reviews_.copy(); }
  ReviewCounts counts() const;
  // Reads files of a skill, served or not, as they are now. NotFound: it has no such skill.
  void content(const ContentRequest &request, const CallOptions &options,
               Answer<SkillContent> answer);
  // Other bytes came of this skill than were listed: the source is listed and the skill read anew,
  // though the source may say that nothing has changed. Any thread.
  void doubt(const std::string &path);

private:
  using Place = std::pair<std::string, std::string>; // skill, path
  struct Work;

  void examineAll(const CallOptions &options, const std::shared_ptr<Work> &work);
  void examineOne(Work &work, std::size_t i, const Result<std::string> &bytes);
  void keepExamined(const Work &work);
  void conclude(Work &work);
  void tellListener() const;
  ExaminedPointer examined(const Document &document) const;
  ExaminedPointer known(const Document &document) const;
  Result<std::string> checked(const Document &document, Result<std::string> bytes);

  const std::shared_ptr<Source> source_;
  const std::vector<TrustRule> rules_;
  const std::shared_ptr<const Decisions> decisions_;
  const std::function<void()> reviewed_;
  Guarded<std::function<void()>> listener_;            // decisions may come before it
  Guarded<std::map<Place, ExaminedPointer>> examined_; // all documents, served or not
  Guarded<std::map<Place, ExaminedPointer>> served_;   // those that may be read
  Guarded<std::map<std::string, ReviewPointer>> reviews_;
  Guarded<std::shared_ptr<const Snapshot>> listed_; // by the source, last; null: not yet
  // How often a judgement was asked for, and up to which of these it has been made: a listing that
  // fails must not use one up.
  std::atomic<std::uint64_t> asked_{0}, judged_{0};
  // The same of listings: asked for since other bytes came than were listed.
  std::atomic<std::uint64_t> doubts_{0}, cleared_{0};
  // The next list is of what the source has listed last: only what was decided is new.
  std::atomic<bool> listKept_{false};
  std::atomic<bool> askAgain_{false}; // how the source fares, once such a list was made
};

} // namespace skillhost
