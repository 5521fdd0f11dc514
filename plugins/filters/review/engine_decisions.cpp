// SPDX-License-Identifier: Apache-2.0
#include "engine_decisions.hpp"

#include "base/log.hpp"
#include "decision_texts.hpp"
#include "ground/await.hpp"
#include "ground/bind_weak.hpp"
#include "ground/counted.hpp"
#include "ground/guarded.hpp"
#include "ground/read_file.hpp"
#include "ground/replace_file.hpp"
#include "review/trust.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace skillhost {
namespace {

constexpr const char *decidedChannel = "decisions";
constexpr std::size_t keyDigits = 16;
// Attempts while others write.
constexpr int maxAttempts = 20;
// The shared state adds some bytes.
constexpr std::size_t largestText = StateBackend::maxValueBytes - 1'024;
constexpr std::size_t largestCopy = std::size_t{256} << 20U;

void logForReaders(LogLevel level, const std::string &text) {
  log::write(level, "review", text, {}, log::Audience::Log);
}

bool isAwayFault(Fault fault) noexcept {
  return fault == Fault::Unavailable || fault == Fault::ToolTimeout || fault == Fault::Cancelled;
}

Failure foreignValue(const std::string &what) {
  return {Fault::OperationFailed,
          "in the place of " + what +
              " the engine holds a value that no replica of this service wrote; it is not changed"};
}

Failure decidedMeanwhile(const std::string &skill, const Decision *there) {
  return {Fault::Conflict, skill + ": somebody else has decided meanwhile: " +
                               (there != nullptr ? textOf(*there) : "no decision") +
                               "; look again"};
}

std::string namesOf(const std::vector<std::string> &skills) {
  constexpr std::size_t maxNamed = 20;
  std::string names;
  for (std::size_t i = 0; i < skills.size() && i < maxNamed; ++i)
    (names += i == 0 ? "" : ", ") += skills[i];
  return skills.size() > maxNamed ? names + ", …" : names;
}

} // namespace

class EngineDecisions::Implementation : public std::enable_shared_from_this<Implementation> {
public:
  Implementation(std::shared_ptr<SharedStore> state, EngineDecisionsSettings settings,
                 Changed changed)
      : state_(std::move(state)), settings_(std::move(settings)), changed_(std::move(changed)),
        service_(state_->keyedDigest("decisions", {settings_.service})),
        // The key depends on the secret, because replicas with another secret cannot read the
        // decisions.
        indexKey_("reviews/index/" +
                  state_->keyedDigest("decisions index", {}).substr(0, keyDigits)) {}

  void begin() {
    takeCopy();
    const std::weak_ptr<Implementation> weak = weak_from_this();
    const auto lookAgain = [weak] {
      if (const auto self = weak.lock()) self->refresh(true, {});
    };
    state_->listen(decidedChannel,
                   {bindWeak(this, &Implementation::onDecisionAnnounced), lookAgain});
    state_->onReachable([lookAgain](bool isBack) {
      if (isBack) lookAgain();
    });
    thread_ = std::thread([this] { work(); });
  }

  void refresh(bool isForced, OnRefreshed onRefreshed) {
    post([this, isForced, onRefreshed = std::move(onRefreshed)](bool isStopping) {
      const Status status = isStopping ? ended() : readNow(isForced);
      if (!isStopping) recordStatus(status);
      if (onRefreshed) onRefreshed(status);
    });
  }

  void onDecisionAnnounced(std::string_view skill) {
    post([this, name = std::string(skill)](bool isStopping) {
      if (!isStopping) recordStatus(isKnown() ? readOne(name) : readNow(true));
    });
  }

  void decide(std::string skill, Decision decision, std::optional<std::string> seen,
              Decided decided) {
    post([this, skill = std::move(skill), decision = std::move(decision), seen = std::move(seen),
          decided = std::move(decided)](bool isStopping) {
      if (isStopping) return decided(Failure{Fault::Cancelled, "the server is stopping"});
      Result<DecisionPointer> replaced = decideNow(skill, decision, seen);
      publishChanges();
      decided(std::move(replaced));
    });
  }

  void importAll(Approvals approvals, Imported imported) {
    post([this, approvals = std::move(approvals), imported = std::move(imported)](bool isStopping) {
      if (isStopping) return imported(Failure{Fault::Cancelled, "the server is stopping"});
      Result<std::vector<std::string>> others = importNow(approvals);
      publishChanges();
      imported(std::move(others));
    });
  }

  std::string problem() const { return problem_.copy(); }

  void end() {
    std::deque<Job> left;
    {
      const std::scoped_lock lock(mutex_);
      if (std::exchange(ended_, true)) return;
      left.swap(jobs_);
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
    for (const Job &job : left) job(true);
    state_.reset(); // the shared state must not end on one of its own threads
  }

private:
  using Value = std::optional<std::string>;
  using Job = std::function<void(bool isStopping)>;

  static Status ended() { return Failure{Fault::Cancelled, "the server is stopping"}; }

  void post(Job job) {
    {
      const std::scoped_lock lock(mutex_);
      if (!ended_) {
        jobs_.push_back(std::move(job));
        wake_.notify_all();
        return;
      }
    }
    job(true);
  }

  void work() {
    for (;;) {
      Job job;
      {
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, settings_.refreshInterval,
                       [this] { return ended_ || !jobs_.empty(); });
        if (ended_) return;
        if (!jobs_.empty()) {
          job = std::move(jobs_.front());
          jobs_.pop_front();
        }
      }
      try {
        if (job)
          job(false);
        else
          // Everything is read, because a value that somebody has put back changes no number of the
          // index.
          recordStatus(readNow(true));
      } catch (const std::exception &why) {
        log::failure("review", {"the decisions of the other replicas could not be read or written"},
                     why);
      }
    }
  }

  Result<Value> get(const std::string &key) const {
    return awaitAnswer<Result<Value>>(
        [&](ResultCallback<Value> answer) { state_->get(key, {}, std::move(answer)); });
  }
  Result<bool> compareAndSet(const std::string &key, const Value &before,
                             const std::string &text) const {
    if (text.size() > largestText)
      return Failure{Fault::TooLarge, "it would have " + std::to_string(text.size()) +
                                          " bytes, and the engine takes " +
                                          std::to_string(largestText)};
    return awaitAnswer<Result<bool>>([&](ResultCallback<bool> answer) {
      state_->compareAndSet(key, before ? std::optional<std::string_view>(*before) : std::nullopt,
                            text, {}, std::move(answer));
    });
  }
  std::string keyOf(const std::string &skill) const {
    return "reviews/decision/" + state_->keyedDigest("decision", {skill});
  }

  // The copy is in force until the engine has answered. Without a copy no decisions are reported:
  // the file may contain decisions that were withdrawn since.
  void takeCopy() {
    if (const Result<std::string> text =
            settings_.copy.empty() ? Result<std::string>(Fault::NotFound, "none is kept")
                                   : readFile(settings_.copy, largestCopy, FileKind::Regular)) {
      Result<NumberedDecisions> copy = readCopy(*text, service_);
      if (copy)
        decisions_ = *std::move(copy);
      else if (copy.failure().fault != Fault::NotFound)
        logForReaders(LogLevel::Warning, settings_.copy + ": " + copy.failure().message);
    }
    isKnown_ = !decisions_.empty();
    isChanged_ = isKnown_;
    publishChanges();
  }

  bool isKnown() const noexcept { return isKnown_; }

  std::uint64_t highest() const {
    std::uint64_t highest = changes_;
    for (const auto &[skill, one] : decisions_) highest = std::max(highest, one.number);
    return highest;
  }

  struct FoundIndex {
    Value text; // nothing if there is no index yet
    DecisionIndex index;
  };
  Result<FoundIndex> indexNow() const {
    Result<Value> text = get(indexKey_);
    if (!text) return text.failure();
    FoundIndex found{*std::move(text), {}};
    if (!found.text) return found;
    Result<DecisionIndex> read = readIndex(*found.text);
    if (!read) return read.failure();
    found.index = *std::move(read);
    return found;
  }

  Status readNow(bool isForced) {
    for (int tries = 0; tries < maxAttempts; ++tries) {
      Result<FoundIndex> read = indexNow();
      if (!read) return read.failure();
      const Value found = std::move(read->text);
      DecisionIndex index = std::move(read->index);
      if (!isKnown()) {
        // The first replica imports its whole file. Approvals in the files of later replicas may
        // have been withdrawn since, so only their rejections are imported. If the answer to a
        // write was lost, this replica finds the index that it has written itself.
        if (const Status taken = takeFile(!found || found == first_, index); !taken) return taken;
      }
      const std::uint64_t before = index.changes;
      const std::size_t named = index.skills.size();
      index.changes = std::max(index.changes, highest());
      for (const auto &[skill, one] : decisions_) index.skills.insert(skill);
      const bool isLacking = index.changes != before || index.skills.size() != named;
      if (isLacking) {
        const std::string text = indexText(index);
        if (!found) first_ = text;
        const Result<bool> put = compareAndSet(indexKey_, found, text);
        if (!put) return put.failure();
        if (!*put && !found && tries > 0) return foreignValue("the index of decisions");
        if (!*put) continue;
      }
      if (!std::exchange(isKnown_, true)) isChanged_ = true;
      // A rejection that comes out of a replica's file is no new change, but the index names it.
      const bool isAllKnown = index.changes == changes_ && index.skills.size() == decisions_.size();
      if (!isForced && !isLacking && isAllKnown) return Done{};
      return readAll(index);
    }
    return Failure{Fault::Conflict, "other replicas keep changing the decisions"};
  }

  // Imports the decisions that the file had before there was an engine.
  Status takeFile(bool isFirst, const DecisionIndex &index) {
    Result<Approvals> file = Approvals::read(settings_.file);
    if (!file && file.failure().fault != Fault::NotFound) return file.failure();
    const Approvals all = file ? *std::move(file) : Approvals();
    std::vector<std::string> left;
    decisions_.clear(); // of a previous attempt
    for (const auto &[skill, decision] : all.skills) {
      // A decision of the file is older than all decisions made in the engine. A rejection is kept
      // even if the index has the skill, because the decision in the engine may not have been
      // written yet.
      constexpr std::uint64_t ofFile = 1;
      if (isFirst || decision.verdict == Verdict::Reject)
        decisions_[skill] = {ofFile, decision};
      else if (!index.skills.contains(skill))
        left.push_back(skill);
    }
    if (isFirst && !decisions_.empty())
      logForReaders(LogLevel::Info, settings_.file + ": the engine has no decisions yet and gets " +
                                        counted(decisions_.size(), "decision") + " of this file");
    if (!left.empty())
      logForReaders(
          LogLevel::Warning,
          settings_.file + ": the engine does not take " + counted(left.size(), "approval") +
              " of this file, since they may have been withdrawn elsewhere: " + namesOf(left) +
              "; approve anew what is to be served, or use skillhost review import");
    return Done{};
  }

  Status readAll(const DecisionIndex &index) {
    std::set<std::string> skills = index.skills;
    for (const auto &[skill, one] : decisions_) skills.insert(skill);
    // Failure of one decision, which does not stop the others from being read.
    Status first = Done{};
    bool isWhole = true;
    for (const std::string &skill : skills) {
      const Status read = readOne(skill);
      if (!read && isAwayFault(read.failure().fault)) return read;
      if (!read && first) first = read;
      isWhole = isWhole && read && decisions_.contains(skill);
    }
    // A decision that is not there yet is read again next time.
    if (isWhole) changes_ = index.changes;
    return first;
  }

  // Merges the local decision on one skill with that of the engine: the later change counts, and a
  // decision that the engine has lost is written again.
  Status readOne(const std::string &skill) {
    const std::string key = keyOf(skill);
    for (int tries = 0; tries < maxAttempts; ++tries) {
      const Result<Value> found = get(key);
      if (!found) return found.failure();
      const auto own = decisions_.find(skill);
      const bool isOwn = own != decisions_.end();
      if (!*found && !isOwn) return Done{};
      std::optional<NumberedDecision> there;
      if (*found) {
        Result<NumberedDecision> read = readDecision(**found, skill);
        if (!read) return read.failure();
        there = *std::move(read);
      }
      if (there && (!isOwn || there->number >= own->second.number)) {
        if (!isOwn || there->number != own->second.number ||
            !(there->decision == own->second.decision)) {
          decisions_[skill] = *std::move(there);
          isChanged_ = true;
        }
        return Done{};
      }
      const Result<bool> put = compareAndSet(key, *found, decisionText(skill, own->second));
      if (!put) return put.failure();
      if (*put) {
        state_->publish(decidedChannel, skill); // other replicas read the decision again
        return Done{};
      }
      if (!*found && tries > 0) return foreignValue("the decision on " + skill);
    }
    return Failure{Fault::Conflict, "other replicas keep changing the decision on " + skill};
  }

  Result<DecisionPointer> decideNow(const std::string &skill, const Decision &decision,
                                    const std::optional<std::string> &seen) {
    if (const Status looked = readNow(false);
        !looked && (!isKnown() || isAwayFault(looked.failure().fault)))
      return explained(looked.failure());
    if (const Status read = readOne(skill); !read) return explained(read.failure());
    const Result<Value> before = get(keyOf(skill));
    if (!before) return explained(before.failure());
    DecisionPointer replaced;
    if (*before) {
      Result<NumberedDecision> there = readDecision(**before, skill);
      if (!there) return there.failure();
      replaced = std::make_shared<const Decision>(std::move(there->decision));
    }
    if (seen && *seen != (replaced ? replaced->id() : ""))
      return decidedMeanwhile(skill, replaced.get());
    const Result<std::uint64_t> number = nextNumber(skill);
    if (!number) return explained(number.failure());
    const NumberedDecision next{*number, decision};
    const Status put = putDecision(skill, *before, next);
    if (!put) return put.failure();
    decisions_[skill] = next;
    isChanged_ = true;
    // If the number is higher, another replica has made a change that is not known here yet.
    if (*number == changes_ + 1) changes_ = *number;
    state_->publish(decidedChannel, skill);
    return replaced;
  }

  // Counts one more change, which is of that skill, and returns its number.
  Result<std::uint64_t> nextNumber(const std::string &skill) {
    for (int tries = 0; tries < maxAttempts; ++tries) {
      Result<FoundIndex> read = indexNow();
      if (!read) return read.failure();
      const Value found = std::move(read->text);
      DecisionIndex index = std::move(read->index);
      index.changes = std::max(index.changes, highest()) + 1;
      index.skills.insert(skill);
      const Result<bool> put = compareAndSet(indexKey_, found, indexText(index));
      if (!put) return put.failure();
      if (*put) return index.changes;
      if (!found && tries > 0) return foreignValue("the index of decisions");
    }
    return Failure{Fault::Conflict, "other replicas keep changing the decisions"};
  }

  Status putDecision(const std::string &skill, const Value &before, const NumberedDecision &next) {
    const std::string key = keyOf(skill), text = decisionText(skill, next);
    const Result<bool> put = compareAndSet(key, before, text);
    if (put && *put) return Done{};
    // A write without an answer may have succeeded.
    const Result<Value> there = get(key);
    if (there && *there == text) return Done{};
    if (!there) return put ? explained(there.failure()) : unknown(skill, put.failure());
    if (!put) return explained(put.failure());
    if (!*there && !before) return foreignValue("the decision on " + skill);
    Result<NumberedDecision> other{Fault::NotFound, "there is none"};
    if (*there) other = readDecision(**there, skill);
    return decidedMeanwhile(skill, other ? &other->decision : nullptr);
  }

  Result<std::vector<std::string>> importNow(const Approvals &approvals) {
    if (const Status looked = readNow(false); !looked) return explained(looked.failure());
    std::vector<std::string> others;
    for (const auto &[skill, decision] : approvals.skills) {
      if (const Status read = readOne(skill); !read) return explained(read.failure());
      if (const auto own = decisions_.find(skill); own != decisions_.end()) {
        if (!(own->second.decision == decision)) others.push_back(skill);
        continue;
      }
      const Result<DecisionPointer> put = decideNow(skill, decision, std::string());
      if (!put && put.failure().fault != Fault::Conflict) return put.failure();
      if (!put) others.push_back(skill);
    }
    return others;
  }

  // The write may have reached an engine that did not answer.
  static Failure unknown(const std::string &skill, const Failure &why) {
    if (!isAwayFault(why.fault)) return why;
    return {Fault::Unavailable, skill +
                                    ": the engine that the replicas share did not answer, so it is "
                                    "not known whether this decision was saved (" +
                                    why.message + "); look again when the engine is back"};
  }

  static Failure explained(const Failure &why) {
    if (!isAwayFault(why.fault)) return why;
    return {Fault::Unavailable, "nothing was decided, because the engine that keeps the decisions "
                                "for all replicas cannot be reached now (" +
                                    why.message + "); decide again when the engine is back"};
  }

  // Logs a failure once, unless the engine is unreachable: the state client logs that.
  void recordStatus(const Status &status) {
    publishChanges();
    if (!status && isAwayFault(status.failure().fault)) return;
    const std::string why = status ? std::string() : status.failure().message;
    const std::string before =
        problem_.with([&](std::string &problem) { return std::exchange(problem, why); });
    if (before == why) return;
    if (!why.empty())
      logForReaders(LogLevel::Error,
                    "the decisions of this replica may be older than those of the engine: " + why);
    else
      logForReaders(LogLevel::Info,
                    "the decisions of this replica are up to date with the engine again");
  }

  void publishChanges() {
    if (!isKnown() || !std::exchange(isChanged_, false)) return;
    writeCopy();
    changed_(approvalsOf(decisions_));
  }

  void writeCopy() const {
    if (settings_.copy.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(settings_.copy).parent_path(), error);
    const Status written =
        replaceFile(settings_.copy, copyText(service_, decisions_), FileReaders::Owner);
    if (!written)
      logForReaders(
          LogLevel::Warning,
          "decisions are not known, because the engine could not be reached since the restart: " +
              written.failure().message);
  }

  std::shared_ptr<SharedStore> state_;
  const EngineDecisionsSettings settings_;
  const Changed changed_;
  const std::string service_, indexKey_;
  Guarded<std::string> problem_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_; // under the lock
  bool ended_ = false;   // the same
  // Only the thread uses the members below.
  NumberedDecisions decisions_;
  bool isKnown_ = false; // the engine has answered once, now or before the copy was written
  std::optional<std::string> first_; // the index that this replica wrote when there was none
  bool isChanged_ = false;
  std::uint64_t changes_ = 0; // of the index, when all decisions were read last
  std::thread thread_;        // last, because it uses the other members
};

EngineDecisions::EngineDecisions(std::shared_ptr<SharedStore> state,
                                 EngineDecisionsSettings settings, Changed changed)
    : implementation_(std::make_shared<Implementation>(std::move(state), std::move(settings),
                                                       std::move(changed))) {
  implementation_->begin();
}
EngineDecisions::~EngineDecisions() { end(); }

void EngineDecisions::refresh(OnRefreshed onRefreshed) {
  implementation_->refresh(false, std::move(onRefreshed));
}
void EngineDecisions::decide(std::string skill, Decision decision, std::optional<std::string> seen,
                             Decided decided) {
  implementation_->decide(std::move(skill), std::move(decision), std::move(seen),
                          std::move(decided));
}
void EngineDecisions::importAll(Approvals approvals, Imported imported) {
  implementation_->importAll(std::move(approvals), std::move(imported));
}
std::string EngineDecisions::problem() const { return implementation_->problem(); }
void EngineDecisions::end() { implementation_->end(); }

} // namespace skillhost
