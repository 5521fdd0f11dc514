// SPDX-License-Identifier: Apache-2.0
// The skills that wait for a decision, and the decisions. All sources of a host share one object.
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
  std::string keep;             // folder of the texts that were decided on; empty: none is kept
  ApprovalsKeys keys{};         // one of them has to sign the file; none: no signature is needed
  std::string findings{};       // folder of the findings that are known; empty: none is kept
};

struct DecisionRequest {
  // "<source>/<path>", or a path, the end of a path or a name that only one skill has.
  std::string name;
  Verdict verdict = Verdict::Reject;
  std::string digest; // of the reviewed content; empty: the content that is there now
  std::string who, reason;
  std::optional<std::int64_t> expires;
  // Decision::id() of the last decision that the reviewer saw, or empty if there was none. Without
  // a value any decision is replaced.
  std::optional<std::string> seen;
  std::shared_ptr<const SigningKey>
      key; // signs the file with the decision in it; null: nobody does
};

struct DifferenceRequest {
  std::string name;                     // as in DecisionRequest
  std::string path;                     // only this file; empty: all
  std::size_t offset = 0;               // bytes of that file's text to skip
  std::size_t room = std::string::npos; // bytes of all texts together
};
struct SkillDifference {
  ReviewPointer review;
  std::shared_ptr<const Decision> decision; // the last one; null if there is none
  // The same if it names files, with which these are compared.
  std::shared_ptr<const Decision> base;
  std::vector<FileDifference> files;
};
// A decision that was stored.
struct WrittenDecision {
  ReviewPointer review; // the state after the decision
  std::shared_ptr<const Decision> decision;
  std::shared_ptr<const Decision> replaced; // null if there was none
};

struct Readiness;

class Reviews {
public:
  // Reads the file of approvals. If it is damaged, that is logged, and every skill that rules are
  // about is withheld until it is repaired. A thread of its own watches the file and expiring
  // decisions, unless there are no rules.
  explicit Reviews(ReviewSettings settings);
  ~Reviews();
  Reviews(const Reviews &) = delete;
  Reviews &operator=(const Reviews &) = delete;

  bool hasRules() const noexcept { return !settings_.rules.empty(); }
  const std::string &file() const noexcept { return settings_.approvals; }
  // Returns true if decisions have to be signed, so only a holder of a key can decide.
  bool requiresSignatures() const noexcept { return !settings_.keys.empty(); }
  // Returns true if a decision can be written, by the permissions of the file's folder. Any thread.
  bool canWrite() const;
  // Moves the decisions into the engine that the replicas of `service` share. The file is no longer
  // read, see engine_decisions.hpp. Waits a few seconds until the decisions are known. Does nothing
  // if there are no rules. If decisions have to be signed, it logs that and does nothing. Call it
  // at most once. Throws std::system_error if no thread can be started.
  void shareThrough(std::shared_ptr<SharedStore> state, const std::string &service);
  // Call this in place of shareThrough() if the engine cannot be used, with the reason. The
  // decisions are then unknown, so every skill that a rule applies to is withheld, and nothing can
  // be decided.
  void reportNoEngine(const std::string &why);
  // Calls `then` when the decisions are those that the engine has now, or with the reason why they
  // are not; at once if there is no engine. Any thread.
  void refresh(const std::function<void(const Status &)> &then);
  // Call it before the shared state ends, and before the objects that receive the answers end.
  void stopSharing();
  // Names the place of decisions for messages: the file, or the engine.
  std::string decisionsPlace() const;
  // Returns why the decisions differ from those of the engine, if that is not because the engine is
  // unreachable; empty if they do not differ. Any thread.
  std::string sharingProblem() const;
  // Returns the source filtered by the rules; the source itself if the rules serve all of it.
  std::shared_ptr<Source> filtered(std::shared_ptr<Source> source);

  // `listener` is called when a decision has taken effect, and when a skill is added, changed or
  // removed, withheld or not. It runs on the thread that has listed the source. Any thread.
  void onChange(std::function<void()> listener);

  // Reads the file again. The failure says what is wrong with it; the previous decisions then stay
  // in force. Any thread.
  Status reload();
  // Returns what is wrong with the file, or why the decisions of the engine are not known; empty if
  // nothing is wrong.
  std::string problem() const;
  // Reports degraded while problem() or sharingProblem() is not empty. Any thread.
  Readiness readiness() const;

  // Returns every skill of the sources that rules are about, by id. Any thread.
  std::vector<ReviewPointer> list() const;
  std::map<std::string, ReviewCounts> counts() const; // by source
  // Fails with NotFound if there is no such skill or the rules serve all of its source, and with
  // Conflict if there are several.
  Result<ReviewPointer> find(std::string_view name) const;
  std::shared_ptr<const Decision> decision(const std::string &id) const; // null if there is none
  std::shared_ptr<const Approvals> approvals() const;                    // all decisions
  // Imports the decisions on skills that have none. Answers with the ids of the skills that have
  // another decision, which stays; on a thread of the decisions, or at once. Fails with Denied if
  // decisions have to be signed.
  void importApprovals(const Approvals &approvals, ResultCallback<std::vector<std::string>> answer);

  // Reads the skill, stores the decision and puts it into force. Fails with Conflict if the content
  // has not the digest of the request, or if the last decision is not the one that was seen. Fails
  // with Denied if decisions have to be signed and the request has no key, or one that is not
  // trusted. Without a digest, a skill that cannot be read can be rejected, too. With an engine it
  // also fails with Conflict if somebody decides at the same time, and with Unavailable while the
  // engine is unreachable. Answers on a thread of the source's executor or of the decisions, or at
  // once.
  void decide(DecisionRequest request, const CallOptions &options,
              ResultCallback<WrittenDecision> answer);
  // Compares the skill with the content of the last decision. The texts are those of the content
  // whose digest the review has; otherwise it fails with Conflict. Files that are too large to be
  // read together with the others are left out and can be requested by their path.
  void compare(DifferenceRequest request, const CallOptions &options,
               ResultCallback<SkillDifference> answer);

private:
  struct Stamp {
    std::int64_t device = 0, node = 0, size = -1, seconds = 0, nanoseconds = 0;
    std::int64_t changed = 0, changedNanoseconds = 0; // these change with its owner or mode, too
    bool operator==(const Stamp &) const = default;
  };
  using Stamps = std::array<Stamp, 2>; // of the file and of its signatures
  static Stamp stampOf(const std::string &file);
  void storeDecision(const ReviewPointer &review, const DecisionRequest &request, Decision decision,
                     const ResultCallback<WrittenDecision> &answer);
  Result<WrittenDecision> storeInFile(const ReviewPointer &review, const DecisionRequest &request,
                                      Decision decision);
  static WrittenDecision resultOf(const ReviewPointer &review, Decision decision,
                                  std::shared_ptr<const Decision> replaced);
  Stamps stampsNow() const;
  MissingApprovals whenMissing();
  Status maySign(const DecisionRequest &request) const;
  std::vector<std::shared_ptr<ReviewedSource>> sources() const;
  std::shared_ptr<ReviewedSource> source(const std::string &name) const;
  void applyDecisions(Approvals approvals, const std::string &place); // under reloading_
  void tidyKept(const Approvals &approvals);                          // under reloading_
  void applyEngineDecisions(const Approvals &approvals);
  void notifySources() const; // notifies the sources of changed decisions
  void scheduleCheck();
  void checkFile();

  const ReviewSettings settings_;
  const KeptFiles kept_;
  const std::shared_ptr<const KeptFindings> findings_; // the sources share it
  const std::shared_ptr<Decisions> decisions_ = std::make_shared<Decisions>();
  // The sources share it, because others may keep them longer than this object.
  const std::shared_ptr<Guarded<std::function<void()>>> listener_ =
      std::make_shared<Guarded<std::function<void()>>>();
  Guarded<std::vector<std::weak_ptr<ReviewedSource>>> sources_;
  Guarded<std::string> problem_;
  Guarded<std::string> engineFailure_; // see reportNoEngine()
  std::mutex reloading_;               // one reload at a time
  Stamps stamps_;                      // of the file that was read last; under reloading_
  // The file was read, or it did not exist at the start; under reloading_.
  bool hasReadFile_ = false;
  bool hasFileExisted_ = false; // the file has existed; under reloading_
  // Time of the last cleanup, in seconds since 1970; under reloading_.
  std::int64_t lastCleanupAt_ = 0;
  bool hasAppliedDecisions_ = false; // decisions were put into force; under reloading_
  bool isEngineKnown_ = false; // decisions of the engine were put into force; under reloading_
  // Time of the last check, in seconds since 1970; used by the timer's thread.
  std::int64_t lastCheckAt_;
  Guarded<std::shared_ptr<EngineDecisions>> engine_; // null: decisions are stored in the file
  // Last, because its callbacks use the other members.
  std::unique_ptr<Timer> timer_;
};

} // namespace skillhost
