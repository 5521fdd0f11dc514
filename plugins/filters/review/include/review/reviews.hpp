// SPDX-License-Identifier: Apache-2.0
// What waits for a decision, and the decisions: one for all sources of a host.
#pragma once

#include "ground/guarded.hpp"
#include "ground/timer.hpp"
#include "plugin/shared_store.hpp"
#include "review/kept_files.hpp"
#include "review/reviewed_source.hpp"
#include "review/skill_difference.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

class EngineDecisions;

struct ReviewSettings {
  std::vector<TrustRule> rules; // none: nothing is reviewed
  std::string approvals;        // the file; an absolute path
  std::string keep;             // folder of the texts that were decided on; empty: none
  ApprovalsKeys keys{};         // one of them has to vouch for the file; none: nobody has to
};

struct DecisionRequest {
  std::string name; // "<source>/<path>", or a path, its last part or a name that one skill has
  Verdict verdict = Verdict::Reject;
  std::string digest; // of what was looked at; empty: whatever is there now
  std::string who, reason;
  std::optional<std::int64_t> expires;
  // Decision::id() of the last decision that was looked at, empty: there was none. Nothing:
  // whatever it is.
  std::optional<std::string> seen;
  std::shared_ptr<const SigningKey>
      key; // signs the file with the decision in it; null: nobody does
};

struct DifferenceRequest {
  std::string name;                     // as of a decision
  std::string path;                     // this file alone; empty: all
  std::size_t offset = 0;               // bytes of that file's text to pass over
  std::size_t room = std::string::npos; // bytes of all texts together
};
struct SkillDifference {
  ReviewPointer review;
  std::shared_ptr<const Decision> decision; // the last one; null: there is none
  std::shared_ptr<const Decision> base;     // the same, if it names files: what they are beside
  std::vector<FileDifference> files;
};
// A decision that was written down.
struct WrittenDecision {
  ReviewPointer review; // as it stands now
  std::shared_ptr<const Decision> decision;
  std::shared_ptr<const Decision> replaced; // null: there was none
};

struct Readiness;

class Reviews {
public:
  // Reads the file of approvals; one that is damaged withholds everything that rules are about,
  // until it is mended, and is told in the log. Looks after the file, and after what expires, on a
  // thread of its own, unless there are no rules.
  explicit Reviews(ReviewSettings settings);
  ~Reviews();
  Reviews(const Reviews &) = delete;
  Reviews &operator=(const Reviews &) = delete;

  bool active() const noexcept { return !settings_.rules.empty(); }
  const std::string &file() const noexcept { return settings_.approvals; }
  // Whether a decision has to be signed, so that who holds no key cannot decide.
  bool asksForSignatures() const noexcept { return !settings_.keys.empty(); }
  // Can a decision be written, by the permissions of the file's folder? Any thread.
  bool canWrite() const;
  // Makes the engine that the replicas of `service` share the place of decisions; the file is no
  // longer read: see engine_decisions.hpp. Waits a few seconds until the decisions are known. Does
  // nothing if nothing is reviewed; if decisions have to be signed, it logs that and does nothing.
  // Call it at most once. Throws std::system_error if no thread can be started.
  void shareBy(std::shared_ptr<SharedStore> state, const std::string &service);
  // Instead of shareBy(), where the engine cannot be used for this reason: what was decided is not
  // known then, so that what rules are about is withheld, and nothing can be decided.
  void lackEngine(const std::string &why);
  // Calls `then` when the decisions are those of the engine as it is now, or with the reason why
  // they are not; at once where there is no engine. Any thread.
  void refresh(const std::function<void(const Status &)> &then);
  // Before the state ends, and before what decisions are answered by.
  void stopSharing();
  // Names the place of decisions for messages: the file, or the engine.
  std::string place() const;
  // Why decisions are not those of the engine though they are to be, apart from one that is away;
  // empty: they are. Any thread.
  std::string sharingProblem() const;
  // The same source as the rules allow it; itself when they serve all of it.
  std::shared_ptr<Source> held(std::shared_ptr<Source> source);

  // Called when another decision has taken effect, and when a skill comes, changes or goes,
  // withheld or not; on the thread that has listed its source. Any thread.
  void onChange(std::function<void()> listener);

  // Takes up the file as it is now. The failure says what is wrong with it; then the decisions of
  // before stay in force. Any thread.
  Status reload();
  // Returns what is wrong with the file as it is now, or why the decisions of the engine are not
  // known; empty if nothing is wrong.
  std::string problem() const;
  // Degraded while problem() or sharingProblem() has something to say. Any thread.
  Readiness readiness() const;

  // Every skill of the sources that rules are about, by id. Any thread.
  std::vector<ReviewPointer> list() const;
  std::map<std::string, ReviewCounts> counts() const; // by source
  // NotFound: there is none, or rules serve all of its source; Conflict: several.
  Result<ReviewPointer> find(std::string_view name) const;
  std::shared_ptr<const Decision> decision(const std::string &id) const; // null: there is none
  std::shared_ptr<const Approvals> all() const;                          // decisions
  // Takes over the decisions on skills that have none. Answers with the ids of those that have
  // another one, which stays; on a thread of the decisions, or at once. Denied when decisions have
  // to be signed.
  void takeOver(const Approvals &approvals, Answer<std::vector<std::string>> answer);

  // Reads the skill, writes the decision down and has it take effect. Conflict when it is not the
  // content of the request's digest, or another decision than was seen; Denied when decisions have
  // to be signed, and the request has no key, or one that is not trusted. Without a digest a skill
  // that cannot be read is rejected, too. With an engine: Conflict, too, when somebody decides at
  // the same time, and Unavailable while it is away. Answers on a thread of the source's executor
  // or of the decisions, or at once.
  void decide(DecisionRequest request, const CallOptions &options, Answer<WrittenDecision> answer);
  // Beside what the last decision was about. The texts are those of the content whose digest the
  // review has, or it is a Conflict. Files that are too large to be read together with the others
  // are left out, to be asked for by their path.
  void differ(DifferenceRequest request, const CallOptions &options,
              Answer<SkillDifference> answer);

private:
  struct Stamp {
    std::int64_t device = 0, node = 0, size = -1, seconds = 0, nanoseconds = 0;
    std::int64_t changed = 0, changedNanoseconds = 0; // its owner or mode, too
    bool operator==(const Stamp &) const = default;
  };
  using Stamps = std::array<Stamp, 2>; // of the file, and of its signatures
  static Stamp stampOf(const std::string &file);
  void writeDown(const ReviewPointer &review, const DecisionRequest &request, Decision decision,
                 const Answer<WrittenDecision> &answer);
  Result<WrittenDecision> written(const ReviewPointer &review, const DecisionRequest &request,
                                  Decision decision);
  static WrittenDecision decided(const ReviewPointer &review, Decision decision,
                                 std::shared_ptr<const Decision> replaced);
  Stamps stampsNow() const;
  Status maySign(const DecisionRequest &request) const;
  std::vector<std::shared_ptr<ReviewedSource>> sources() const;
  std::shared_ptr<ReviewedSource> source(const std::string &name) const;
  void take(Approvals approvals, const std::string &place); // under reloading_
  void tidyKept(const Approvals &approvals);                // under reloading_
  void takeKnown(const Approvals &approvals);
  void tellSources() const; // that something else holds now
  void lookLater();
  void look();

  const ReviewSettings settings_;
  const KeptFiles kept_;
  const std::shared_ptr<Decisions> decisions_ = std::make_shared<Decisions>();
  // Of the sources, which others may keep longer.
  const std::shared_ptr<Guarded<std::function<void()>>> listener_ =
      std::make_shared<Guarded<std::function<void()>>>();
  Guarded<std::vector<std::weak_ptr<ReviewedSource>>> sources_;
  Guarded<std::string> problem_;
  Guarded<std::string> lacking_; // see lackEngine()
  std::mutex reloading_;         // one reload at a time
  Stamps stamps_;                // of what was read last; under reloading_
  bool wasRead_ = false;         // ever, or it was not there at the start; under reloading_
  bool wasThere_ = false;        // the file, ever; under reloading_
  std::int64_t tidied_ = 0;      // when, in seconds since 1970; under reloading_
  bool wasTaken_ = false;        // some decisions have been; under reloading_
  bool isEngineKnown_ = false;   // some decisions of the engine have been; under reloading_
  std::int64_t looked_;          // when, in seconds since 1970; of the timer's thread
  Guarded<std::shared_ptr<EngineDecisions>> engine_; // null: the file is the place of decisions
  std::unique_ptr<Timer> timer_;                     // last: its callbacks use the rest
};

} // namespace skillhost
