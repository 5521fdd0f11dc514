// SPDX-License-Identifier: Apache-2.0
#include "review/reviews.hpp"

#include "base/log.hpp"
#include "base/readiness.hpp"
#include "engine_decisions.hpp"
#include "ground/await.hpp"
#include "ground/counted.hpp"
#include "ground/time_reading.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace skillhost {
namespace {

constexpr std::chrono::milliseconds lookInterval{1'000};
// Limits in bytes of what one answer holds in memory: for differences, and of texts to be kept.
constexpr std::size_t maxReadBytes = 16U << 20U, maxKeptBytes = 64U << 20U;

// The lines go to the log alone: clients that receive log messages would read about skills that are
// withheld from them.
void logLine(LogLevel level, const std::string &text) {
  log::write(level, "review", text, {}, log::Audience::Log);
}

LockedSkill filesOf(const SkillContent &content) {
  LockedSkill files;
  for (const auto &[path, file] : content) files.emplace(path, file.facts);
  return files;
}

bool endsWithPart(std::string_view path, std::string_view part) {
  return path == part || (path.ends_with(part) && path[path.size() - part.size() - 1] == '/');
}

// Returns the files whose bytes are to be read for the texts. Their total size is limited; files
// that do not fit are shown without a text.
std::set<std::string> chosenFiles(std::vector<FileDifference> &files, bool isOne) {
  std::set<std::string> chosen;
  std::size_t bytes = 0;
  for (FileDifference &file : files) {
    if (!needsBytes(file)) continue;
    const std::size_t size = file.now->size;
    if (!isOne && size > maxReadBytes - bytes) {
      leaveOut(file);
      continue;
    }
    bytes += size;
    chosen.insert(file.path);
  }
  return chosen;
}

// Returns true if the bytes that were read are those that the review is about.
bool isSame(const LockedSkill &reviewed, const SkillContent &read,
            const std::set<std::string> &chosen) {
  return std::all_of(chosen.begin(), chosen.end(), [&](const std::string &path) {
    const auto was = reviewed.find(path);
    const auto is = read.find(path);
    return was != reviewed.end() && is != read.end() && was->second == is->second.facts;
  });
}

Failure contentConflict(const Review &review) {
  return {Fault::Conflict, review.id + ": its content has changed since it was listed; ask again"};
}

void tellDecisions(const Approvals &before, const Approvals &now) {
  for (const auto &[skill, decision] : now.skills) {
    const auto was = before.skills.find(skill);
    if (was != before.skills.end() && was->second == decision) continue;
    logLine(LogLevel::Info, std::string(nameOf(decision.verdict)) + ' ' + skill + " by " +
                                decision.who +
                                (decision.digest.empty() ? "" : ' ' + decision.digest));
  }
  for (const auto &[skill, decision] : before.skills)
    if (!now.skills.contains(skill))
      logLine(LogLevel::Info, "the decision on " + skill + " is gone");
}

void warnOfServed(const std::vector<TrustRule> &rules, const Approvals &before,
                  const Approvals &now) {
  const std::vector<std::string> had = rejectedInVain(rules, before, secondsNow()),
                                 has = rejectedInVain(rules, now, secondsNow());
  if (has.empty() || has == had) return;
  logLine(LogLevel::Warning,
          counted(has.size(), "rejected skill") + (has.size() == 1 ? " is" : " are") +
              " of a source that no rule of trust may withhold from, and served: " + has.front() +
              (has.size() == 1 ? "" : ", …"));
}

// Returns the path of the copy. It lies beside the folder of texts, because that folder is tidied.
std::string copyFile(const ReviewSettings &settings, const SharedStore &state,
                     const std::string &service) {
  if (settings.keep.empty()) return {};
  return settings.keep + ".decisions-" +
         state.keyedDigest("copy of decisions", {service}).substr(0, 16);
}

} // namespace

Reviews::Reviews(ReviewSettings settings)
    : settings_(std::move(settings)), kept_(settings_.keep),
      findings_(std::make_shared<const KeptFindings>(settings_.findings, settings_.approvals)),
      lastCheckAt_(secondsNow()) {
  if (!hasRules()) return;
  if (const Status read = reload(); !read)
    logLine(LogLevel::Error,
            read.failure().message +
                "; until this is fixed, every skill of a source with rules of trust is withheld");
  timer_ = std::make_unique<Timer>();
  scheduleCheck();
}

Reviews::~Reviews() { stopSharing(); }

void Reviews::shareThrough(std::shared_ptr<SharedStore> state, const std::string &service) {
  constexpr std::chrono::seconds patience{5};
  if (!hasRules()) return;
  if (requiresSignatures())
    return logLine(LogLevel::Info, settings_.approvals +
                                       " is not shared with the other replicas, because no replica "
                                       "has a key to sign with: give the same file to all of them");
  EngineDecisionsSettings settings;
  settings.file = settings_.approvals;
  settings.copy = copyFile(settings_, *state, service);
  settings.service = service;
  decisions_->with([](Decided &decided) {
    decided.unknown = "the engine that the replicas share has not answered, and this replica has "
                      "no copy of the decisions";
  });
  const auto engine = std::make_shared<EngineDecisions>(
      std::move(state), std::move(settings),
      [this](const Approvals &now) { applyEngineDecisions(now); });
  engine_.with([&](auto &one) { one = engine; });
  if (!awaitDoneFor(patience, [&](const auto &known) { engine->refresh(known); }))
    logLine(LogLevel::Warning, "the decisions in the engine are not known yet");
}

void Reviews::reportNoEngine(const std::string &why) {
  if (!hasRules() || requiresSignatures()) return;
  engineFailure_.with([&](std::string &lacking) { lacking = why; });
  decisions_->with([&](Decided &decided) { decided.unknown = why; });
}

void Reviews::refresh(const std::function<void(const Status &)> &then) {
  if (const auto engine = engine_.copy()) return engine->refresh(then);
  then(Done{});
}

void Reviews::stopSharing() {
  const std::shared_ptr<EngineDecisions> last =
      engine_.with([](auto &one) { return std::exchange(one, nullptr); });
  if (last) last->end();
}

std::string Reviews::decisionsPlace() const {
  return engine_.copy() ? "the engine that the replicas share" : settings_.approvals;
}

std::string Reviews::sharingProblem() const {
  const auto engine = engine_.copy();
  return engine ? engine->problem() : std::string();
}

Reviews::Stamp Reviews::stampOf(const std::string &file) {
  struct stat facts{};
  if (::stat(file.c_str(), &facts) != 0) return {};
  return {static_cast<std::int64_t>(facts.st_dev),
          static_cast<std::int64_t>(facts.st_ino),
          static_cast<std::int64_t>(facts.st_size),
          facts.st_mtim.tv_sec,
          facts.st_mtim.tv_nsec,
          facts.st_ctim.tv_sec,
          facts.st_ctim.tv_nsec};
}

Reviews::Stamps Reviews::stampsNow() const {
  return {stampOf(settings_.approvals),
          settings_.keys.empty() ? Stamp() : stampOf(signatureFileOf(settings_.approvals))};
}

// A file that has existed holds decisions that are still in force, so no new one replaces it.
MissingApprovals Reviews::whenMissing() {
  const std::scoped_lock lock(reloading_);
  return hasFileExisted_ ? MissingApprovals::Refuse : MissingApprovals::Begin;
}

Status Reviews::maySign(const DecisionRequest &request) const {
  if (settings_.keys.empty()) return Done{};
  if (!request.key)
    return Failure{Fault::Denied, "trust.approvals_keys requires signed decisions: decide with "
                                  "skillhost review --sign FILE, where FILE is a secret key"};
  if (!settings_.keys.has(request.key->publicKey()))
    return Failure{Fault::Denied, "the public half of this key is not in trust.approvals_keys, so "
                                  "its signature would not count"};
  return Done{};
}

bool Reviews::canWrite() const {
  if (!hasRules() || engine_.copy()) return true;
  std::error_code error;
  const std::filesystem::path file = std::filesystem::weakly_canonical(settings_.approvals, error);
  if (error) return false;
  return ::access(file.parent_path().c_str(), W_OK | X_OK) == 0;
}

std::shared_ptr<Source> Reviews::filtered(std::shared_ptr<Source> source) {
  std::vector<TrustRule> rules = rulesFor(settings_.rules, source->name());
  if (rules.empty()) return source;
  auto reviewed = std::make_shared<ReviewedSource>(
      std::move(source), std::move(rules), decisions_,
      [listener = listener_] {
        if (const std::function<void()> tell = listener->copy()) tell();
      },
      findings_);
  sources_.with([&](auto &all) {
    std::erase_if(all, [](const auto &one) { return one.expired(); });
    all.push_back(reviewed);
  });
  return reviewed;
}

void Reviews::onChange(std::function<void()> listener) {
  listener_->with([&](auto &current) { current = std::move(listener); });
}

Status Reviews::reload() {
  if (!hasRules()) return Done{};
  if (const std::string why = engineFailure_.copy(); !why.empty())
    return Failure{Fault::Unavailable, why};
  if (const auto engine = engine_.copy()) {
    engine->refresh({});
    return Done{};
  }
  const std::scoped_lock lock(reloading_);
  // The stamps are taken before the file is read, so that a write meanwhile is noticed.
  stamps_ = stampsNow();
  Result<Approvals> read = Approvals::read(settings_.approvals, settings_.keys);
  if (read || read.failure().fault != Fault::NotFound)
    hasFileExisted_ = true;
  else if (!hasFileExisted_)
    read = Approvals(); // nobody has decided anything yet
  if (read) {
    hasReadFile_ = true;
    problem_.with([](std::string &problem) { problem.clear(); });
    applyDecisions(*std::move(read), settings_.approvals);
    return Done{};
  }
  const std::string why = read.failure().message;
  problem_.with([&](std::string &problem) { problem = why; });
  if (!hasReadFile_) decisions_->with([&](Decided &decided) { decided.unknown = why; });
  return {read.failure().fault, why};
}

void Reviews::applyEngineDecisions(const Approvals &approvals) {
  const std::scoped_lock lock(reloading_);
  hasReadFile_ = hasFileExisted_ = true;
  // The first decisions of the engine are not compared with the file, or the log would report all
  // of them as new at each start.
  if (!std::exchange(isEngineKnown_, true)) hasAppliedDecisions_ = false;
  applyDecisions(approvals, "the engine that the replicas share");
}

void Reviews::applyDecisions(Approvals approvals, const std::string &place) {
  auto now = std::make_shared<const Approvals>(std::move(approvals));
  const Decided before =
      decisions_->with([&](Decided &decided) { return std::exchange(decided, Decided{now, {}}); });
  if (std::exchange(hasAppliedDecisions_, true))
    tellDecisions(*before.approvals, *now);
  else if (!now->skills.empty())
    logLine(LogLevel::Info, counted(now->skills.size(), "decision") + " in " + place);
  warnOfServed(settings_.rules, *before.approvals, *now);
  tidyKept(*now);
  if (*before.approvals != *now || !before.unknown.empty()) notifySources();
}

void Reviews::tidyKept(const Approvals &approvals) {
  constexpr std::int64_t pause = 86'400; // seconds
  const std::int64_t now = secondsNow();
  if (now - lastCleanupAt_ < pause) return;
  lastCleanupAt_ = now;
  std::set<std::string> used;
  for (const auto &[skill, decision] : approvals.skills)
    for (const auto &[path, file] : decision.files) used.insert(file.digest);
  kept_.tidy(used);
}

void Reviews::notifySources() const {
  for (const auto &source : sources()) source->decisionsChanged();
}

void Reviews::scheduleCheck() {
  timer_->after(lookInterval, [this] {
    checkFile();
    scheduleCheck();
  });
}

// Nothing in it blocks, except the disk.
void Reviews::checkFile() {
  const bool isOther = !engine_.copy() && [this] {
    const std::scoped_lock lock(reloading_);
    return stampsNow() != stamps_;
  }();
  // A file that could not be read may be readable now, although its stamp is the same. The same
  // error is logged once.
  const std::string before = problem();
  if (isOther || !before.empty())
    if (const Status read = reload(); !read && (isOther || read.failure().message != before))
      logLine(LogLevel::Error, read.failure().message + "; the previous decisions stay in force");
  const std::int64_t lookedBefore = std::exchange(lastCheckAt_, secondsNow());
  bool over = false;
  // The pointer is kept, because another thread may replace the decisions meanwhile.
  const std::shared_ptr<const Approvals> approvals = decisions_->copy().approvals;
  for (const auto &[skill, decision] : approvals->skills)
    if (decision.expired(lastCheckAt_) && !decision.expired(lookedBefore)) {
      logLine(LogLevel::Info, "the decision on " + skill + " has expired");
      over = true;
    }
  if (over) notifySources();
}

// The state of the file does not matter if there is an engine.
std::string Reviews::problem() const {
  if (const std::string why = engineFailure_.copy(); !why.empty()) return why;
  return engine_.copy() ? decisions_->copy().unknown : problem_.copy();
}

Readiness Reviews::readiness() const {
  const bool isUndecided = !problem().empty(), isUnshared = !sharingProblem().empty();
  Readiness told{isUndecided || isUnshared};
  if (isUndecided) told.details["approvals"]["valid"] = false;
  if (isUnshared) told.details["approvals"]["shared"] = false;
  return told;
}

std::vector<std::shared_ptr<ReviewedSource>> Reviews::sources() const {
  std::vector<std::shared_ptr<ReviewedSource>> out;
  sources_.with([&](const auto &all) {
    for (const auto &one : all)
      if (auto source = one.lock()) out.push_back(std::move(source));
  });
  return out;
}

// Returns the source that was made last: a replaced source of the same name no longer serves
// anything.
std::shared_ptr<ReviewedSource> Reviews::source(const std::string &name) const {
  std::shared_ptr<ReviewedSource> found;
  for (auto &one : sources())
    if (one->name() == name) found = std::move(one);
  return found;
}

std::vector<ReviewPointer> Reviews::list() const {
  std::map<std::string, std::map<std::string, ReviewPointer>> bySource;
  for (const auto &source : sources()) bySource[source->name()] = source->reviews();
  std::vector<ReviewPointer> out;
  for (const auto &[name, reviews] : bySource)
    for (const auto &[id, review] : reviews) out.push_back(review);
  std::sort(out.begin(), out.end(),
            [](const ReviewPointer &a, const ReviewPointer &b) { return a->id < b->id; });
  return out;
}

std::map<std::string, ReviewCounts> Reviews::counts() const {
  std::map<std::string, ReviewCounts> counts;
  for (const auto &source : sources()) counts[source->name()] = source->counts();
  return counts;
}

Result<ReviewPointer> Reviews::find(std::string_view name) const {
  std::vector<ReviewPointer> found;
  for (const ReviewPointer &review : list()) {
    if (review->id == name) return review;
    if (!name.empty() && (endsWithPart(review->path, name) || review->name == name))
      found.push_back(review);
  }
  const std::string shown(name.substr(0, 200));
  if (found.size() == 1) return found.front();
  if (found.empty())
    return {Fault::NotFound, "\"" + shown +
                                 "\" is the id, path or name of no skill of a source that "
                                 "a rule of trust may warn of or withhold from"};
  return {Fault::Conflict, "\"" + shown + "\" may be " + found[0]->id + " or " + found[1]->id +
                               ": name one of them"};
}

std::shared_ptr<const Decision> Reviews::decision(const std::string &id) const {
  const auto approvals = decisions_->copy().approvals;
  const auto found = approvals->skills.find(id);
  if (found == approvals->skills.end()) return nullptr;
  // Shares ownership instead of copying, because a decision may name thousands of files.
  return {approvals, &found->second};
}

void Reviews::decide(DecisionRequest request, const CallOptions &options,
                     ResultCallback<WrittenDecision> answer) {
  const Result<ReviewPointer> found = find(request.name);
  if (!found) return answer(found.failure());
  if (const Status may = maySign(request); !may) return answer(may.failure());
  const ReviewPointer &review = *found;
  const auto from = source(review->source);
  if (!from) return answer({Fault::Unavailable, "the source " + review->source + " is gone"});
  ContentRequest all;
  all.path = review->path;
  all.maxFileBytes = maxKeptTextBytes;
  all.maxBytes = maxKeptBytes;
  from->content(all, options,
                [this, review, from, request = std::move(request),
                 answer = std::move(answer)](Result<SkillContent> content) {
                  // A skill that cannot be read can be rejected nevertheless, as a whole.
                  const bool isBlind =
                      !content && request.verdict == Verdict::Reject && request.digest.empty();
                  if (!content && !isBlind) return answer(std::move(content).failure());
                  Decision decision;
                  decision.verdict = request.verdict;
                  if (content) decision.files = filesOf(*content);
                  if (!decision.files.empty()) decision.digest = contentDigest(decision.files);
                  if (!isBlind && decision.digest != review->examined.digest)
                    from->suspectContent(review->path);
                  decision.who = request.who;
                  decision.when = secondsNow();
                  decision.reason = request.reason;
                  decision.expires = request.expires;
                  if (!request.digest.empty() && request.digest != decision.digest)
                    return answer({Fault::Conflict, review->id + " has changed: its digest is " +
                                                        decision.digest + " now, look again"});
                  if (content)
                    for (const auto &[path, file] : *content)
                      if (file.bytes) kept_.keep(file.facts.digest, *file.bytes);
                  storeDecision(review, request, std::move(decision), answer);
                });
}

void Reviews::storeDecision(const ReviewPointer &review, const DecisionRequest &request,
                            Decision decision, const ResultCallback<WrittenDecision> &answer) {
  if (const std::string why = engineFailure_.copy(); !why.empty())
    return answer({Fault::Unavailable, "nothing was decided: " + why});
  const auto engine = engine_.copy();
  if (!engine) return answer(storeInFile(review, request, std::move(decision)));
  engine->decide(review->id, decision, request.seen,
                 [review, decision, answer](Result<std::shared_ptr<const Decision>> replaced) {
                   if (!replaced) return answer(std::move(replaced).failure());
                   answer(resultOf(review, decision, *std::move(replaced)));
                 });
}

WrittenDecision Reviews::resultOf(const ReviewPointer &review, Decision decision,
                                  std::shared_ptr<const Decision> replaced) {
  WrittenDecision out;
  out.replaced = std::move(replaced);
  auto now = std::make_shared<Review>(*review);
  if (!decision.files.empty()) {
    now->documents.clear();
    for (const auto &[path, content] : decision.files)
      now->documents.push_back(
          std::make_shared<const ExaminedDocument>(ExaminedDocument{path, {}, content, {}}));
    now->examined.digest = decision.digest;
  }
  now->judgement = applyRules({}, now->examined, &decision, {}, decision.when);
  out.review = std::move(now);
  out.decision = std::make_shared<const Decision>(std::move(decision));
  return out;
}

std::shared_ptr<const Approvals> Reviews::approvals() const { return decisions_->copy().approvals; }

void Reviews::importApprovals(const Approvals &approvals,
                              ResultCallback<std::vector<std::string>> answer) {
  if (const std::string why = engineFailure_.copy(); !why.empty())
    return answer({Fault::Unavailable, "nothing was decided: " + why});
  if (const auto engine = engine_.copy()) return engine->importAll(approvals, std::move(answer));
  if (requiresSignatures())
    return answer({Fault::Denied, "trust.approvals_keys requires signed decisions: put them into " +
                                      settings_.approvals +
                                      ", and sign that file with skillhost review sign"});
  std::vector<std::string> others;
  const Result<Approvals> changed = changeApprovals(
      settings_.approvals,
      [&](Approvals &all) -> Status {
        others.clear();
        for (const auto &[skill, decision] : approvals.skills)
          if (const auto [at, isNew] = all.skills.emplace(skill, decision);
              !isNew && !(at->second == decision))
            others.push_back(skill);
        return Done{};
      },
      {}, whenMissing());
  if (!changed) return answer(changed.failure());
  if (const Status read = reload(); !read) return answer(read.failure());
  answer(std::move(others));
}

Result<WrittenDecision> Reviews::storeInFile(const ReviewPointer &review,
                                             const DecisionRequest &request, Decision decision) {
  std::shared_ptr<const Decision> replaced;
  const Result<Approvals> approvals = changeApprovals(
      settings_.approvals,
      [&](Approvals &all) -> Status {
        const auto before = all.skills.find(review->id);
        replaced =
            before == all.skills.end() ? nullptr : std::make_shared<const Decision>(before->second);
        if (request.seen && *request.seen != (replaced ? replaced->id() : ""))
          return {Fault::Conflict, review->id + ": somebody else has decided meanwhile: " +
                                       (replaced ? textOf(*replaced) : "no decision") +
                                       "; look again"};
        all.skills[review->id] = decision;
        return Done{};
      },
      {settings_.keys, request.key.get()}, whenMissing());
  if (!approvals) return approvals.failure();
  {
    const std::scoped_lock lock(reloading_);
    hasFileExisted_ = true;
  }
  // Decisions that others have written meanwhile are read, too. If the file has become unreadable
  // since, the decision was written nevertheless, and is put into force here.
  if (const Status taken = reload(); !taken) {
    logLine(LogLevel::Error, taken.failure().message + "; the decision on " + review->id +
                                 " was written before, and is in force");
    applyEngineDecisions(*approvals);
  }
  return resultOf(review, std::move(decision), std::move(replaced));
}

void Reviews::compare(DifferenceRequest request, const CallOptions &options,
                      ResultCallback<SkillDifference> answer) {
  const Result<ReviewPointer> found = find(request.name);
  if (!found) return answer(found.failure());
  const ReviewPointer &review = *found;
  const auto from = source(review->source);
  if (!from) return answer({Fault::Unavailable, "the source " + review->source + " is gone"});
  const auto out = std::make_shared<SkillDifference>();
  out->review = review;
  out->decision = out->base = decision(review->id);
  if (out->base && out->base->files.empty()) out->base.reset();
  out->files = changedFiles(out->base ? out->base->files : LockedSkill(), review->files());
  if (!request.path.empty())
    std::erase_if(out->files,
                  [&](const FileDifference &file) { return file.path != request.path; });
  // Reading an unreadable skill fails with the reason, which is the answer.
  const bool isUnreadable = review->examined.digest.empty();
  ContentRequest wanted;
  wanted.path = review->path;
  if (isUnreadable)
    wanted.maxFileBytes = 0;
  else
    wanted.files = chosenFiles(out->files, !request.path.empty());
  from->content(wanted, options,
                [this, from, out, request = std::move(request), chosen = wanted.files,
                 answer = std::move(answer)](const Result<SkillContent> &content) {
                  if (!content) return answer(content.failure());
                  if (!chosen || !isSame(out->review->files(), *content, *chosen)) {
                    from->suspectContent(out->review->path);
                    return answer(contentConflict(*out->review));
                  }
                  std::size_t room = request.room;
                  for (FileDifference &file : out->files) {
                    const bool isRead = chosen->contains(file.path);
                    if (needsBytes(file) && !isRead) continue; // left out
                    addText(file, isRead ? &*content->at(file.path).bytes : nullptr, kept_,
                            request.offset, room);
                    room -= std::min(room, file.text.size());
                  }
                  answer(std::move(*out));
                });
}

} // namespace skillhost
