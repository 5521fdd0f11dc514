// SPDX-License-Identifier: Apache-2.0
// A source filtered by the rules of trust. Everything from the source passes through here, except
// withheld skills, so no list, search, file or count can include them by mistake.
#pragma once

#include "ground/guarded.hpp"
#include "plugin/source.hpp"
#include "review/examination.hpp"
#include "review/kept_findings.hpp"
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

// The decisions in force, shared by all sources of a host.
struct Decided {
  std::shared_ptr<const Approvals> approvals = std::make_shared<const Approvals>();
  std::string unknown; // why the decisions are not known; empty if they are
};
using Decisions = Guarded<Decided>;

// The review state of one skill.
struct Review {
  std::string id, source, path; // the id is "<source>/<path>"
  std::string name;             // the name in its SKILL.md; may be empty
  Judgement judgement;
  Examined examined;
  std::vector<ExaminedPointer> documents; // by path; none if not all of them can be read
  std::vector<Finding> findings;
  std::string folder; // on this machine; empty if it is elsewhere

  LockedSkill files() const; // the contents of the documents
};
using ReviewPointer = std::shared_ptr<const Review>;

// The numbers of skills of a source by review state.
struct ReviewCounts {
  std::array<std::size_t, reviewStates> states{}; // by ReviewState
  std::size_t withheld = 0;
  std::size_t waiting = 0; // withheld or served with a warning, and not rejected
};

// The files of a skill that are to be read, and how much of them is kept in memory.
struct ContentRequest {
  std::string path;                             // of the skill
  std::optional<std::set<std::string>> files;   // only these; none: all
  std::size_t maxFileBytes = std::string::npos; // bytes of one file
  std::size_t maxBytes = std::string::npos;     // bytes of all files together
};
// One file as it is now.
struct ReadDocument {
  LockedDocument facts;
  std::optional<std::string> bytes; // none if there was no room to keep it
};
using SkillContent = std::map<std::string, ReadDocument>; // by path

class ReviewedSource final : public Source, public std::enable_shared_from_this<ReviewedSource> {
public:
  // `rules` are the rules for this source; there is at least one. `reviewed` may be empty; it is
  // called when reviews() have changed, on the thread that has listed the source. Texts whose
  // findings are in `kept` are not examined again; null: nothing is kept.
  ReviewedSource(std::shared_ptr<Source> source, std::vector<TrustRule> rules,
                 std::shared_ptr<const Decisions> decisions, std::function<void()> reviewed = {},
                 std::shared_ptr<const KeptFindings> kept = nullptr);

  const std::string &name() const noexcept override { return source_->name(); }
  void onChanged(std::function<void()> listener) override;
  void stop() override { source_->stop(); }
  bool supportsPinning() const noexcept override { return source_->supportsPinning(); }
  bool isFilter() const noexcept override { return true; }
  bool isAbsent() const noexcept override { return source_->isAbsent(); }
  void list(CallOptions options, ResultCallback<Snapshot> answer) override;
  // Fails with Stale if anything changed, even a decision, because a skill is judged as a whole.
  void changes(CallOptions options, std::string since, ResultCallback<Changes> answer) override;
  // Fails with Stale for a skill that is not served, and if the bytes differ from those that were
  // judged.
  void read(CallOptions options, Document document, std::size_t limit,
            ResultCallback<std::string> answer) override;
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override;

  // Call it when a decision was made or has expired: the next list judges all skills. Any thread.
  void decisionsChanged();
  // Returns the review of every listed skill, served or not, by id.
  std::map<std::string, ReviewPointer> reviews() const { return reviews_.copy(); }
  ReviewCounts counts() const;
  // Returns how many documents have been examined; those whose findings were known do not count.
  std::size_t examinations() const noexcept { return examinations_; }
  // Reads files of a skill as they are now, served or not. Fails with NotFound if there is no such
  // skill.
  void content(const ContentRequest &request, const CallOptions &options,
               ResultCallback<SkillContent> answer);
  // Call it when the bytes of this skill differ from the listed ones: the source is listed and the
  // skill is read again, even if the source says that nothing has changed. Any thread.
  void suspectContent(const std::string &path);

private:
  struct Work;
  // The examinations of the documents of a list. They are found by the list, so that they need no
  // keys of their own.
  struct Examinations {
    std::shared_ptr<const Snapshot> listed;
    std::vector<ExaminedPointer> each; // parallel to the documents; null: none

    // Returns null if the list has no such document.
    ExaminedPointer find(std::string_view skill, std::string_view path) const;
    // Removes one examination, or those of a skill.
    void forget(std::string_view skill, std::string_view path);
    void forget(std::string_view skill);
  };

  void examineAll(const CallOptions &options, const std::shared_ptr<Work> &work);
  void examineOne(Work &work, std::size_t i, const Result<std::string> &bytes);
  void keepExamined(Work &work);
  void keepFindings(const Work &work);
  void finishListing(Work &work);
  void tellListener() const;
  ExaminedPointer examinedBefore(const Document &document) const;
  ExaminedPointer examined(const Document &document) const;
  ExaminedPointer findExamined(const Document &document) const;
  Result<std::string> checked(const Document &document, Result<std::string> bytes);

  const std::shared_ptr<Source> source_;
  const std::vector<TrustRule> rules_;
  const std::shared_ptr<const Decisions> decisions_;
  const std::function<void()> reviewed_;
  const std::shared_ptr<const KeptFindings> kept_;
  // The findings that kept_ has of this source, until the first list is complete. Later examined_
  // have it.
  Guarded<std::shared_ptr<const KeptFindings::Known>> known_;
  std::atomic<bool> isLoaded_{false}; // kept_ was asked
  std::atomic<std::size_t> examinations_{0};
  // The documents and the value of examinations_ when the findings were kept last.
  std::atomic<std::size_t> keptDocuments_{0}, keptExaminations_{0};
  Guarded<std::function<void()>> listener_; // may be called before it is set
  Guarded<Examinations> examined_;          // all documents, served or not
  Guarded<Examinations> served_;            // the documents that may be read
  Guarded<std::map<std::string, ReviewPointer>> reviews_;
  Guarded<std::shared_ptr<const Snapshot>> listed_; // the last list of the source; null: none yet
  // Number of requests to judge again, and the last request that a listing has fulfilled. There are
  // two counters because a listing that fails must fulfil none.
  std::atomic<std::uint64_t> requestedReviews_{0}, finishedReviews_{0};
  // The same for listings that were requested because bytes differed from the listed ones.
  std::atomic<std::uint64_t> doubts_{0}, cleared_{0};
  // The next list judges the last list of the source again, because only decisions have changed.
  std::atomic<bool> listKept_{false};
  // After such a list, the state of the source is queried again.
  std::atomic<bool> askAgain_{false};
};

} // namespace skillhost
